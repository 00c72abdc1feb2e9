package workflow

// StarterDocument is a workflow that has every part of the format, to write another one from.
const StarterDocument = `# Title of the workflow

## First part

### 🔧 WORKFLOW STEP: Find the newest archive
` + "```" + `
List the archives of [HOST] and pick the newest one.
` + "```" + `
### 🛠️ TOOL: list_archives
### 📥 INPUTS:
- HOST: machine whose backup is checked
### 📤 OUTPUTS:
- result.archives[0].id → ARCHIVE_ID
### ✅ ASSERT:
- the newest archive of [HOST] is younger than 24 hours

## Second part

### 🔧 WORKFLOW STEP: Verify the archive
` + "```" + `
Restore a sample of [ARCHIVE_ID], and compare it with the original.
` + "```" + `
### 🛠️ TOOLS:
- restore_sample
- compare_files
### 📥 INPUTS:
- ARCHIVE_ID: archive that the first step found
### ✅ ASSERT:
- the sample equals the original
`
