/** The output of `--help`. Separate from the commands, so that it does not load their dependencies. */

export const help = `Commands for a Videograph account managed with Pulumi.

Usage: npx pulumi-videograph <command> [options]

  adopt     write an import file and a program for existing contents and livestreams
  orphans   find objects that a stack created and its state does not have
  forget    list the journal of creates on this machine, or forget entries of it
  doctor    check the settings, the tools and the connection
  probe     check this package's assumptions about the service against an account

  --help      show this text; after a command, the help of that command
  --version   show the version

The credentials come from the environment (VIDEOGRAPH_ACCESS_TOKEN_ID, VIDEOGRAPH_SECRET_KEY, VIDEOGRAPH_BASE_URL), or
else from the configuration of the selected stack (videograph:accessTokenId, videograph:secretKey, videograph:baseUrl).
`;

export const adoptHelp = `Brings existing contents and livestreams under Pulumi's management.

Usage: npx pulumi-videograph adopt [options]

Reads the whole account and writes two files: an import file, which puts the objects into the state of a stack, and a
program that declares them exactly as they are, protected against deletion. Nothing changes on the service or in Pulumi.
Make videograph-adopted.ts the program, or import it from the program. Then run:

  pulumi import --file videograph-import.json --yes --generate-code=false
  pulumi refresh --yes                              # reads the stream keys, as secrets; not for native types
  pulumi preview --diff --expect-no-changes

Which objects (all given conditions must hold):
  --only <contents|livestreams>   only these
  --title <text>                  whose title contains the text, in upper or lower case
  --tag <tag>                     that have the tag; repeat it to require several tags
  --id <id>                       that have this id; repeat it to name several objects

Skipped and reported: objects that Failed or are being deleted, objects that the stack's state already has, objects that
another stack of this backend manages (unless you name them with --id), objects that cannot be read, and objects with
the ownership marker of a stack (\`managed_by\` in their metadata).
  --include-managed               also adopt objects with the marker of a stack

  --library                       write a program with one ContentLibrary for all contents. It needs no import file:
                                  \`pulumi up\` adopts them

Files:
  --file <path>                   the import file (default videograph-import.json)
  --program <path>                the program (default videograph-adopted.ts; videograph_adopted.py in Python)
  --language <typescript|python|go|yaml>
                                  its language (default: that of the Pulumi project in this folder)
  --native                        use the native types (default: in TypeScript where the stack has them, and in every
                                  other language)
  --force                         replace files that exist

Other:
  --timeout <duration>            how long to try to read one object, such as 30s (default 1m)
  --stack <name>                  the stack whose state and configuration are read (default: the selected one, in the
                                  folder of a Pulumi project)
  --json                          print the result as JSON
  --help                          show this text

Exit codes: 0 done (also when there is nothing to adopt), 1 an error, 2 a wrong command line, 4 done, but some objects
could not be read.
`;

export const orphansHelp = `Finds the objects that a stack created and its state does not have.

Usage: npx pulumi-videograph orphans [options]

Every create puts a marker into the metadata of its object (\`managed_by\`). The marker names the project, the stack and
the resource, and has the lineage of the stack's state, which no other state has. When a machine is lost together with
its journal in the middle of a create, the object is left behind. It is an orphan if

  - its lineage is that of the stack's state (\`pulumi stack export\`),
  - the state does not have it,
  - its create never ended in the state, which records it as pending,
  - the journal on this machine has no entry for it.

All other objects with the lineage or the names of this stack are listed with the reason. They may belong to another
backend, or may have been released on purpose (\`pulumi state delete\`, retainOnDelete). They are only changed when you
name them with --id.

  --delete               delete the orphans after confirmation. Refused while an update of the stack is running; and
                         where the backend does not show its locks, unless you name the objects with --id
  --yes                  do not ask; required where there is no terminal
  --import-file <path>   write an import file that puts the orphans into the state under their old names
  --force                replace that file when it exists
  --id <id>              this object, even if it may not be an orphan; repeat it to name several
  --timeout <duration>   how long to try to read one object, such as 30s (default 1m)
  --stack <name>         the stack (default: the selected one of the Pulumi project in this folder)
  --json                 print the result as JSON
  --help                 show this text

Exit codes: 0 none found, or all of them handled, 1 an error, 2 a wrong command line, 3 orphans found, 4 some objects
could not be read, so there may be more orphans.
`;

export const forgetHelp = `Lists the journal of creates on this machine, or forgets entries of it.

Usage: npx pulumi-videograph forget [<nonce or object id>...] [options]

The journal remembers each create until the state has its object. An open entry belongs to a create that has not ended:
the next \`pulumi up\` continues with it. An answered entry belongs to a create whose object was handed to Pulumi. If
\`pulumi up\` refuses a create because of an entry, and you know what happened to the object, forget the entry. The object
remains.

Without arguments, all entries are listed, with the nonce first.

  --json   print the entries as JSON
  --help   show this text

Exit codes: 0 done, 1 an error (if an argument names no entry, nothing is forgotten), 2 a wrong command line.
`;

export const doctorHelp = `Checks the settings, the tools and the connection.

Usage: npx pulumi-videograph doctor [options]

Checks the versions of Node.js, the Pulumi CLI and the SDK, how the project loads this package, the credentials and
where they come from, whether the service answers and lets these credentials read contents, livestreams and signing
keys, the clock, a proxy between Pulumi's own processes, and the journal of creates. Prints one line for each check,
with what to do if something is wrong. Changes nothing.

  --stack <name>   the stack whose configuration has the credentials (default: the selected one)
  --json           print the result as JSON
  --help           show this text

Exit codes: 0 no errors (there may be warnings), 1 an error, 2 a wrong command line.
`;

export const probeHelp = `Checks this package's assumptions about the service against a real account.

Usage: npx pulumi-videograph probe [options]

The package was built from the service's documentation, which leaves much open. The probe reads, creates, changes and
deletes one short content and one livestream, and reports for each numbered assumption whether the account confirmed it,
contradicted it, or did not show it. For each contradiction, it names the promises that depend on the assumption and
your next step. It prints the report and writes it to a file that holds no secrets. The emulator can then behave as the
account did:
npx videograph-emulator --contract videograph-probe.json

Without --yes nothing is sent: it prints what it would do, and what that costs.

  --yes                           do it
  --source <url>                  the video for the content: a few seconds of MP4 that the service can download
  --subtitle <url>                a file with subtitles for it, SRT or VTT; without it subtitles are not checked
  --only <contents|livestreams>   create only this kind of object
  --region <region>               of the livestream (default VIDEOGRAPH_REGION, or else us-east-1)
  --timeout <duration>            how long to wait until the content is Ready (default 5m)
  --report <path>                 the report file (default videograph-probe.json); replaced when it exists
  --stack <name>                  the stack whose configuration has the credentials (default: the selected one)
  --json                          print the report, or the plan, as JSON
  --help                          show this text

The probe deletes what it creates, also after failures and Ctrl-C. If a probe is killed, delete what is titled
"pulumi-videograph probe" yourself.

Exit codes: 0 nothing is contradicted, 1 an error, or something could not be deleted, 2 a wrong command line,
3 something is contradicted.
`;
