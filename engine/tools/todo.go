package tools

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Todo is an entry of the list that TodoWrite keeps.
type Todo struct {
	Content    string `json:"content"`
	Status     string `json:"status"`     // pending, in_progress or completed
	ActiveForm string `json:"activeForm"` // what to show while it is in progress
}

// Todos decodes the list in the arguments of a TodoWrite call.
func Todos(args string) ([]Todo, error) {
	var a struct{ Todos *[]Todo }
	if err := json.Unmarshal([]byte(args), &a); err != nil {
		return nil, fmt.Errorf("the arguments cannot be read: %w", err)
	}
	if a.Todos == nil {
		return nil, errors.New("todos is missing")
	}
	for i, t := range *a.Todos {
		switch {
		case t.Content == "":
			return nil, fmt.Errorf("entry %d has no content", i+1)
		case t.Status != "pending" && t.Status != "in_progress" && t.Status != "completed":
			return nil, fmt.Errorf("entry %d has the status %q: use pending, in_progress or completed", i+1, t.Status)
		}
	}
	return *a.Todos, nil
}
