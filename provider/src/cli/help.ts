/** What `--help` prints. Apart from the commands, so that it waits for nothing they need. */

export const help = `Works on a Videograph account beside Pulumi.

Usage: npx pulumi-videograph <command> [options]

  import    take over the contents and livestreams that exist: an import file and the program for it
  orphans   find objects that a stack made and its state does not know
  doctor    check the settings, the tools and the connection

  --help      show this text; after a command, that command's
  --version   show the version

The credentials come from the environment (VIDEOGRAPH_ACCESS_TOKEN_ID, VIDEOGRAPH_SECRET_KEY, VIDEOGRAPH_BASE_URL), else
from the configuration of the selected stack (videograph:accessTokenId, videograph:secretKey, videograph:baseUrl).
`;

export const importHelp = `Takes over the contents and livestreams that exist.

Usage: npx pulumi-videograph import [options]

Reads the whole account and writes two files: an import file, which puts the objects into the state of a stack, and a
program that declares them just as they are. Nothing is changed on the service or in Pulumi. Then:

  pulumi import --file videograph-import.json --yes --generate-code=false --protect=false
  pulumi refresh --yes        # brings the stream keys, as secrets
  pulumi preview              # nothing to do, once the program has (or imports) videograph-import.ts

Which objects (all that are given must hold):
  --only <contents|livestreams>   only these
  --title <text>                  whose title contains the text, in whatever case
  --tag <tag>                     that have the tag; repeatable, then all of them
  --status <status>               that have the status, such as Ready or Idle
  --id <id>                       that have this id; repeatable, then any of them
  --limit <number>                no more than so many

Left out, and told: what Failed or is being deleted, what the stack's state has already, and what bears the mark of a
stack (\`managed_by\` in its metadata).
  --include-managed               also what bears the mark of a stack

Files:
  --file <path>                   the import file (default videograph-import.json)
  --program <path>                the program (default videograph-import.ts)
  --force                         replace files that exist

Other:
  --stack <name>                  the stack whose state is looked at, and whose configuration has the credentials
                                  (default: the selected one, in the folder of a Pulumi project)
  --json                          say in JSON what was written and what was left out
  --help                          show this text

Exit codes: 0 done (also when there is nothing to take over), 1 an error, 2 a wrong command line.
`;

export const orphansHelp = `Finds the objects that a stack made and its state does not know.

Usage: npx pulumi-videograph orphans [options]

Every create puts a mark into the metadata of its object (\`managed_by\`: pulumi:<project>/<stack>/<name>:<random>).
When a machine is lost together with its journal in the middle of a create, the object stays behind, unknown to any
state. This command lists all objects that bear the mark of this stack, and compares them with its state
(\`pulumi stack export\`) and with the journal of this machine. Objects without exactly this mark are never touched.

Not counted as orphans, but told: objects of creates that the journal or the state knows as not ended (pending), and
objects so young that a create may be under way.

  --delete               delete the orphans, after a question; refused while an update of the stack is under way
  --yes                  do not ask; needed where there is no terminal
  --import-file <path>   write an import file that puts the orphans into the state, under their old names
  --force                replace that file when it exists
  --id <id>              only this object; repeatable
  --min-age <duration>   how old an orphan is at least, such as 30m or 0s (default 2h: a create may last for an hour, or
                         for as long as its customTimeouts say)
  --include-pending      count pending ones as orphans too
  --stack <name>         the stack (default: the selected one of the Pulumi project in this folder)
  --json                 say it in JSON
  --help                 show this text

Look before you delete. The mark stays on objects that were let go of on purpose (\`pulumi state delete\`,
retainOnDelete) or moved to another stack, and it does not tell backends apart: a stack of the same project and name in
another backend makes the same marks. Such objects are no orphans, and nothing but you can know.

Exit codes: 0 none found, or all dealt with, 1 an error, 2 a wrong command line, 3 found.
`;

export const doctorHelp = `Checks the settings, the tools and the connection.

Usage: npx pulumi-videograph doctor [options]

Looks at the versions of Node.js, the Pulumi CLI and the SDK, at how the project gets this package, at the credentials
and where they come from, at proxies, at whether the service answers and lets these credentials read contents,
livestreams and signing keys, at the clock, and at the journal of pending creates. One line for each, with what to do
where something is amiss. Changes nothing.

  --stack <name>   the stack whose configuration has the credentials (default: the selected one)
  --json           say it in JSON
  --help           show this text

Exit codes: 0 no errors (warnings there may be), 1 an error, 2 a wrong command line.
`;
