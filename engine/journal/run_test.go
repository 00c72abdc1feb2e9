package journal

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"playhead/engine/logs"
	"playhead/engine/machine"
	"playhead/parse/plan"
)

func TestAppendedEventsAreReadBack(t *testing.T) {
	s, r := newRun(t)
	want := record(t, r, started(), &machine.StepEntered{}, &machine.VariableCaptured{Variable: "a", Value: "<b> & \u2028"})
	if err := r.Sync(); err != nil {
		t.Fatal(err)
	}
	while, err := s.ReadHistory(r.ID())
	if err != nil {
		t.Fatal(err)
	}
	same(t, "events while the run goes on", want, while.Events)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}

	r, h, err := s.Open(r.ID())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	same(t, "history", History{Folder: r.Folder, Events: want}, h)
	want = append(want, record(t, r, &machine.RunResumed{})...)
	after, err := s.ReadHistory(r.ID())
	if err != nil {
		t.Fatal(err)
	}
	same(t, "events after resume", want, after.Events)
}

func TestRunsArePrivate(t *testing.T) {
	s, r := newRun(t)
	record(t, r, started())
	err := filepath.Walk(s.dir, func(path string, info os.FileInfo, err error) error {
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAppendRefusesWhatCannotBeReadBack(t *testing.T) {
	cases := map[string]struct {
		event machine.Event
		want  string
	}{
		"a gap":           {machine.Event{Seq: 3, Body: &machine.RunResumed{}}, "event 3 cannot follow event 1"},
		"a repetition":    {machine.Event{Seq: 1, Body: &machine.RunResumed{}}, "event 1 cannot follow event 1"},
		"an odd time":     {machine.Event{Seq: 2, Time: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), Body: &machine.RunResumed{}}, "year"},
		"foreign junk":    {machine.Event{Seq: 2, Body: &machine.UnknownBody{Raw: []byte("{")}}, "unexpected end"},
		"foreign, lying":  {machine.Event{Seq: 2, Body: &machine.UnknownBody{Raw: []byte(`{"seq":9,"type":"x"}`)}}, "contains the sequence number 9"},
		"foreign, no one": {machine.Event{Seq: 2, Body: &machine.UnknownBody{Raw: []byte(`{"seq":2}`)}}, "no type"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s, r := newRun(t)
			record(t, r, started())
			err := r.Append(c.event)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), r.eventsPath()) {
				t.Errorf("Append = %v, want an error with %q and the file", err, c.want)
			}
			if again := r.Append(machine.Event{Seq: 2, Body: &machine.RunResumed{}}); !errors.Is(again, err) {
				t.Errorf("the next Append = %v, want the same error", again)
			}
			if h, err := s.ReadHistory(r.ID()); err != nil || len(h.Events) != 1 {
				t.Errorf("Read = %d events, %v; want the one before", len(h.Events), err)
			}
		})
	}
}

func TestForeignEventsStayOnOneLine(t *testing.T) {
	s, r := newRun(t)
	raw := "{\n  \"seq\": 1,\n  \"type\": \"dreamt\",\n  \"of\": \"sheep\"\n}"
	record(t, r, &machine.UnknownBody{Kind: "dreamt", Raw: []byte(raw)}, &machine.RunResumed{})
	h, err := s.ReadHistory(r.ID())
	if err != nil {
		t.Fatal(err)
	}
	same(t, "raw", `{"seq":1,"type":"dreamt","of":"sheep"}`, string(h.Events[0].Body.(*machine.UnknownBody).Raw))
}

func TestFullDisk(t *testing.T) {
	for name, failure := range map[string]error{
		"full": &os.PathError{Op: "write", Path: "x", Err: unix.ENOSPC}, "quota": unix.EDQUOT, "short": io.ErrShortWrite,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			m := &memory{room: 300, err: failure}
			r := &Run{Folder: Folder{dir: dir}, journal: m}
			var err error
			for n := 1; err == nil && n < 100; n++ {
				err = r.Append(machine.Event{Seq: n, Time: start, Body: started()})
			}
			if !errors.Is(err, failure) && !errors.Is(err, unix.ENOSPC) {
				t.Fatalf("Append = %v, want %v", err, failure)
			}
			if !strings.Contains(err.Error(), r.eventsPath()) {
				t.Errorf("%q does not name the file", err)
			}
			if name != "short" && !strings.Contains(err.Error(), "free some space on the disk that holds "+dir) {
				t.Errorf("%q does not name the disk", err)
			}
			c, readErr := readEvents(r.Folder, &m.Buffer)
			if readErr != nil || len(c.tornLine) > 0 || len(c.events) != r.lastSeq || r.lastSeq == 0 {
				t.Errorf("the journal has %d events and %q, %v; want %d and nothing", len(c.events), c.tornLine, readErr, r.lastSeq)
			}
			if syncErr := r.Sync(); !errors.Is(syncErr, err) {
				t.Errorf("Sync = %v, want the same error", syncErr)
			}
		})
	}
}

func TestFailedSyncEndsTheJournal(t *testing.T) {
	r := &Run{Folder: Folder{dir: t.TempDir()}, journal: &memory{room: 1 << 20, err: unix.EIO}}
	record(t, r, started())
	if err := r.Sync(); !errors.Is(err, unix.EIO) {
		t.Fatalf("Sync = %v", err)
	}
	if err := r.Append(machine.Event{Seq: 2, Body: &machine.RunResumed{}}); !errors.Is(err, unix.EIO) {
		t.Errorf("Append = %v, want the error of Sync", err)
	}
}

// TestRemovedUnderARun: when the folder of an open run is removed, Sync and Append fail.
func TestRemovedUnderARun(t *testing.T) {
	_, r := newRun(t)
	record(t, r, started())
	if err := os.RemoveAll(r.Dir()); err != nil {
		t.Fatal(err)
	}
	if err := r.Sync(); err == nil || !strings.Contains(err.Error(), "is missing") {
		t.Errorf("Sync = %v", err)
	}
	if err := r.Append(machine.Event{Seq: 2, Body: &machine.RunResumed{}}); err == nil {
		t.Error("the removed journal is written to")
	}
}

func TestClosedRun(t *testing.T) {
	_, r := newRun(t)
	for range 2 {
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Append(machine.Event{Seq: 1, Body: started()}); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Append = %v", err)
	}
	if err := r.Sync(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Sync = %v", err)
	}
}

// TestReadWhileAppending: readers see whole lines only while events are appended.
func TestReadWhileAppending(t *testing.T) {
	s, r := newRun(t)
	var writer sync.WaitGroup
	writer.Go(func() {
		for n := 1; n <= 300; n++ {
			if err := r.Append(machine.Event{Seq: n, Time: start, Body: started()}); err != nil {
				t.Error(err)
			}
		}
	})
	for range 20 {
		if _, err := s.ReadHistory(r.ID()); err != nil {
			t.Error(err)
		}
		if _, err := s.List(); err != nil {
			t.Error(err)
		}
	}
	writer.Wait()
}

func TestVolatileRunsDoNotWait(t *testing.T) {
	r, err := NewVolatileStore(t.TempDir()).Create(document("a.runbook.md"), ".")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	r.journal = &memory{err: unix.EIO, room: 1 << 20}
	if err := r.Sync(); err != nil {
		t.Errorf("Sync = %v", err)
	}
}

func TestLogs(t *testing.T) {
	_, r := newRun(t)
	write(t, filepath.Join(r.Dir(), "logs", "000007.log"), []byte("hello"))
	if l, err := logs.Open(r.LogFile(LogName(7))); err != nil || l.ShortenedText(9) != "hello" {
		t.Errorf("its log: %v", err)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(r.Dir(), "logs", "link.log")); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"", "../x", "logs/../../x", "/etc/passwd", "logs/link.log"} {
		if _, err := logs.Open(r.LogFile(bad)); err == nil {
			t.Errorf("the log %q can be read", bad)
		}
		if l, err := logs.NewAppendingLog(r.LogFile(bad)); err == nil {
			if _, err = l.Write([]byte("x")); err == nil {
				t.Errorf("the log %q can be written", bad)
			}
		}
	}
}

func TestCreateFailsCleanly(t *testing.T) {
	if os.Getuid() == 0 {
		t.Log("running as root: permissions are not tested")
	}
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, nil)
	if _, err := NewStore(file).Create(document("a.runbook.md"), "."); err == nil {
		t.Error("a run was made below a file")
	}
	// A document that is its own start directory cannot be copied.
	s := NewStore(t.TempDir())
	if _, err := s.Create(&plan.Plan{Path: "/srv/x"}, "/srv/x"); err == nil {
		t.Error("want an error")
	}
	if ids, err := s.runIDs(); err != nil || len(ids) > 0 {
		t.Errorf("ids = %v, %v; want nothing left behind", ids, err)
	}
}

// TestStoreErrors: an error says what to do, and does not call a full disk unwritable.
func TestStoreErrors(t *testing.T) {
	for err, want := range map[error]string{
		unix.EACCES: `cannot store a run in /: permission denied. Make it writable, or set XDG_STATE_HOME$`,
		unix.ENOSPC: `cannot store a run in /: no space left on device: free some space on the disk that holds / \(.*\)\. To use another disk, set XDG_STATE_HOME to a folder on it$`,
	} {
		if got := explainStoreError("/", err).Error(); !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
