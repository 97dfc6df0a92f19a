/** What users do after a release: programs in empty folders, which install from the registries and create, show and delete a video. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { bash } from "./workflow.ts";

interface User {
    readonly runtime: string;
    /** The file of the repository that is the program. */
    readonly program: string;
    /** Installs the packages into the folder. */
    readonly install: string;
}

export function usersOf(version: string, home: string, pypi: string): readonly User[] {
    const npm = ["pulumi-videograph", "videograph-emulator"].map((name) => `${name}@${version}`).join(" ");
    const pip = "venv/bin/pip install --quiet";
    return [
        {
            runtime: "nodejs",
            program: "quickstart/index.ts",
            install: `echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --ignore-scripts ${npm} @pulumi/pulumi@3.270.0 typescript@5 @types/node@22
echo '{ "compilerOptions": { "strict": true, "target": "es2020", "module": "commonjs", "moduleResolution": "node" }, "files": ["index.ts"] }' > tsconfig.json`,
        },
        {
            runtime: "python",
            program: "quickstart-python/__main__.py",
            install: `python3 -m venv venv
${pip} --no-deps --index-url ${pypi}simple/ pulumi_videograph==${version}
${pip} pulumi==3.272.0 parver==0.5 'setuptools<81' wheel
venv/bin/pip check`,
        },
        {
            // The module is a tag of the repository: git finds it on this machine in place of GitHub.
            runtime: "go",
            program: "quickstart-go/main.go",
            install: `go mod init quickstart
go get github.com/${home}/sdk/go@v${version} github.com/pulumi/pulumi/sdk/v3@v3.259.0
go mod tidy`,
        },
    ];
}

/** Makes the user's folder. */
export async function installs(user: User, folder: string, examples: string, env: Record<string, string>) {
    mkdirSync(folder, { recursive: true });
    const [, file = ""] = user.program.split("/");
    cpSync(join(examples, user.program), join(folder, file));
    writeFileSync(join(folder, "Pulumi.yaml"), `name: rehearsal\nruntime: ${user.runtime}\n`);
    await bash(user.install, folder, env);
}

/** Creates the stack's video, and deletes it. The plugin is downloaded where the program does not bring it. */
export async function lives(folder: string, source: string, env: Record<string, string>): Promise<void> {
    const home = join(folder, ".pulumi-home");
    mkdirSync(home);
    const own = {
        ...env,
        // Python's packages are those of the folder's own environment.
        PATH: [join(folder, "venv", "bin"), env.PATH].join(delimiter),
        PULUMI_HOME: home,
        PULUMI_BACKEND_URL: `file://${home}`,
        PULUMI_CONFIG_PASSPHRASE: "rehearsal",
    };
    await bash("pulumi stack init dev", folder, own);
    await bash(`pulumi config set sourceUrl ${source}`, folder, own);
    await bash("pulumi up --yes --skip-preview", folder, own);
    const url = (await bash("pulumi stack output playbackUrl", folder, own)).trim();
    if (!(await fetch(url)).ok) throw new Error(`${url} does not play`);
    await bash("pulumi destroy --yes --skip-preview", folder, own);
    const plugins = await bash("pulumi plugin ls", folder, own);
    console.log(`  ${url} played, then deleted\n${plugins.replace(/^/gm, "  ").trimEnd()}`);
}
