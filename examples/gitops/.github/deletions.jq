# How many videos and livestreams a plan of `pulumi preview --json` deletes. A replacement deletes the old one. An unconfirmed create
# has no object that could be deleted: its replacement searches for it first.
([.steps[] | select(.op | test("delete|replace")) | select(.oldState.id // "" | startswith("unconfirmed-") | not)] | unique_by(.urn) | map(
    if .urn | test("videograph:(index:)?(Content|Clip|Livestream)::") then 1
    # A library is one resource, and all its videos are deleted with it.
    elif .urn | test("videograph:(index:)?ContentLibrary::") then
        .oldState.outputs | .contents // (.results // "{}" | fromjson) | length
    else 0 end
)) + ([
    # For an update of a library the preview says it: "2 to replace (tides, quay), 1,204 to delete (storm, …)".
    .diagnostics // [] | .[].message | select(contains("[VG2034]"))
    | scan("([0-9,]+) to (?:replace|delete) \\(")[0] | gsub(","; "") | tonumber
])
| add // 0
