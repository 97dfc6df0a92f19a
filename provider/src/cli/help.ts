/** What `--help` prints. Separate from the commands, so that it loads nothing they need. */

export const help = `Commands for a Videograph account managed with Pulumi.

Usage: npx pulumi-videograph <command> [options]

  adopt     write an import file and a program for the contents and livestreams that exist
  orphans   find objects that a stack created and no state has
  doctor    check the settings, the tools and the connection
  probe     check what this package assumes of the service against an account

  --help      show this text; after a command, the help of that command
  --version   show the version

The credentials come from the environment (VIDEOGRAPH_ACCESS_TOKEN_ID, VIDEOGRAPH_SECRET_KEY, VIDEOGRAPH_BASE_URL), or
else from the configuration of the selected stack (videograph:accessTokenId, videograph:secretKey, videograph:baseUrl).
`;

export const adoptHelp = `Brings the contents and livestreams that exist under Pulumi's management.

Usage: npx pulumi-videograph adopt [options]     (its old name, import, still works)

Reads the whole account and writes two files: an import file, which puts the objects into the state of a stack, and a
program that declares them exactly as they are, protected against deletion. Nothing changes on the service or in Pulumi.
Make videograph-adopted.ts the program, or import it from the program. Then run:

  pulumi import --file videograph-import.json --yes --generate-code=false
  pulumi refresh --yes                              # reads the stream keys, as secrets
  pulumi preview --diff --expect-no-changes

Which objects (all given conditions must hold):
  --only <contents|livestreams>   only these
  --title <text>                  whose title contains the text, in upper or lower case
  --tag <tag>                     that have the tag; repeat it to require several tags
  --status <status>               that have the status, such as Ready or Idle
  --id <id>                       that have this id; repeat it to name several objects
  --limit <number>                at most this many

Skipped and reported: objects that Failed or are being deleted, objects that the stack's state already has, objects that
cannot be read, and objects with the ownership marker of a stack (\`managed_by\` in their metadata).
  --include-managed               also adopt objects with the marker of a stack

Files:
  --file <path>                   the import file (default videograph-import.json)
  --program <path>                the program (default videograph-adopted.ts)
  --force                         replace files that exist

Other:
  --timeout <duration>            how long to try to read one object, such as 30s (default 1m)
  --stack <name>                  the stack whose state and configuration are read (default: the selected one, in the
                                  folder of a Pulumi project)
  --json                          print the result as JSON
  --help                          show this text

A run that was interrupted continues where it stopped when you start it again with the same options.

Exit codes: 0 done (also when there is nothing to adopt), 1 an error, 2 a wrong command line, 4 done, but some objects
could not be read.
`;

export const orphansHelp = `Finds the objects that a stack created and no state has.

Usage: npx pulumi-videograph orphans [options]

Every create puts a marker into the metadata of its object (\`managed_by\`: pulumi:<project>/<stack>/<name>:<random>).
When a machine is lost together with its journal in the middle of a create, the object is left behind, unknown to any
state. This command lists all objects with the marker of this stack, and compares them with its state (\`pulumi stack
export\`), with the states of all other stacks of the backend, and with the journal of this machine. Objects without
exactly this marker are never touched.

Not counted as orphans, but listed: objects that another stack owns (after \`pulumi stack rename\` or \`pulumi state
move\`), objects of creates that the journal or the state knows as not ended (pending), and objects so young that a
create may still be running.

  --delete               delete the orphans, after a question. Refused while an update of the stack is running, and
                         unless the stack's state owns an object with the stack's own marker: a state without one may be
                         that of a renamed stack, or of the wrong backend. Objects named with --id are deleted anyway
  --yes                  do not ask; required where there is no terminal
  --import-file <path>   write an import file that puts the orphans into the state, under their old names
  --force                replace that file when it exists
  --id <id>              only this object; repeat it to name several
  --min-age <duration>   the minimum age of an orphan, such as 30m or 0s (default 2h: a create may last for an hour, or
                         for as long as its customTimeouts allow)
  --include-pending      count pending objects as orphans too
  --timeout <duration>   how long to try to read one object, such as 30s (default 1m)
  --stack <name>         the stack (default: the selected one of the Pulumi project in this folder)
  --json                 print the result as JSON
  --help                 show this text

Check the list before you delete. Objects that you stopped managing on purpose (\`pulumi state delete\`, retainOnDelete)
keep the marker, and the marker does not tell organizations and backends apart: a stack with the same project and name
elsewhere makes the same markers. Only you can know whether such objects are still needed.

A run that was interrupted continues where it stopped when you start it again on the same day. What it deletes it reads
again just before.

Exit codes: 0 none found, or all of them handled, 1 an error, 2 a wrong command line, 3 orphans found, 4 some objects
could not be read, so there may be more orphans.
`;

export const probeHelp = `Checks against a real account what this package assumes of the service.

Usage: npx pulumi-videograph probe [options]

The package was built from the service's documentation, which leaves much open. The probe reads, creates, changes and
deletes one short content and one livestream, and reports for each numbered assumption whether the account confirmed it,
contradicted it, or did not show it; for what is contradicted, which promises depend on it and what you can do. It
prints the report and writes it to a file that holds no secrets. The emulator can behave as the account did:
npx videograph-emulator --contract videograph-probe.json

Without --yes nothing is sent: it prints what it would do, and what that costs.

  --yes                           do it
  --source <url>                  the video that the content is made of: a few seconds of MP4, reachable by the service
  --subtitle <url>                a file with subtitles for it, SRT or VTT; without it nothing is said about subtitles
  --only <contents|livestreams>   create only this kind of object
  --region <region>               of the livestream (default VIDEOGRAPH_REGION, or else us-east-1)
  --timeout <duration>            how long to wait until the content is Ready (default 5m)
  --report <path>                 the report file (default videograph-probe.json); replaced when it exists
  --stack <name>                  the stack whose configuration has the credentials (default: the selected one)
  --json                          print the report as JSON
  --help                          show this text

What it creates it deletes, after failures and Ctrl-C too. What a killed probe left, the next one with the same
credentials deletes.

Exit codes: 0 nothing is contradicted, 1 an error, or something could not be deleted, 2 a wrong command line,
3 something is contradicted.
`;

export const doctorHelp = `Checks the settings, the tools and the connection.

Usage: npx pulumi-videograph doctor [options]

Checks the versions of Node.js, the Pulumi CLI and the SDK, the host that runs these resources, how the project loads
this package, the credentials and where they come from, proxies and TLS, whether the service answers and lets these
credentials read contents, livestreams and signing keys, the clock, the time limit of a CI job, and the journal of
pending creates. Prints one line for each, with what to do where something is wrong. Changes nothing.

  --stack <name>   the stack whose configuration has the credentials (default: the selected one)
  --json           print the result as JSON
  --help           show this text

Exit codes: 0 no errors (there may be warnings), 1 an error, 2 a wrong command line.
`;
