echo helo
