test "$(sh greet.sh)" = hello && echo passed
