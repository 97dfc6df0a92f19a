/** What users do after a release: programs in empty folders, which install from the registries and create, show and delete a video. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { bash } from "./workflow.ts";

export interface Market {
    readonly version: string;
    readonly home: string;
    readonly npm: string;
    readonly pypi: string;
    /** The clone, for its examples. */
    readonly clone: string;
    readonly env: Readonly<Record<string, string>>;
}

/** Installs both packages from npm, in a folder that the emulator runs from too. */
export async function typescript(folder: string, market: Market): Promise<void> {
    mkdirSync(folder);
    const { version, npm, env } = market;
    const packages = ["pulumi-videograph", "videograph-emulator"].map((name) => `${name}@${version}`);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
    const pinned = [...packages, "@pulumi/pulumi@3.270.0", "typescript@5", "@types/node@22"].join(" ");
    await bash(`npm install --no-audit --no-fund --ignore-scripts --registry ${npm} ${pinned}`, folder, env);
    const compilerOptions = { strict: true, target: "es2020", module: "commonjs", moduleResolution: "node" };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["index.ts"] }));
    cpSync(join(market.clone, "examples", "quickstart", "index.ts"), join(folder, "index.ts"));
    writeFileSync(join(folder, "Pulumi.yaml"), "name: rehearsal\nruntime: nodejs\n");
}

export async function python(folder: string, { version, pypi, clone, env }: Market): Promise<void> {
    mkdirSync(folder);
    await bash("python3 -m venv venv", folder, env);
    await bash(
        `venv/bin/pip install --quiet --no-deps --index-url ${pypi}simple/ pulumi_videograph==${version}`,
        folder,
        env,
    );
    await bash("venv/bin/pip install --quiet pulumi==3.272.0 parver==0.5 'setuptools<81' wheel", folder, env);
    await bash("venv/bin/pip check", folder, env);
    cpSync(join(clone, "examples", "quickstart-python", "__main__.py"), join(folder, "__main__.py"));
    writeFileSync(join(folder, "Pulumi.yaml"), "name: rehearsal\nruntime: python\n");
}

/** The module is a tag of the repository: git finds it on this machine in place of GitHub. */
export async function go(folder: string, { version, home, clone, env }: Market): Promise<void> {
    mkdirSync(folder);
    cpSync(join(clone, "examples", "quickstart-go", "main.go"), join(folder, "main.go"));
    await bash("go mod init quickstart", folder, env);
    await bash(`go get github.com/${home}/sdk/go@v${version} github.com/pulumi/pulumi/sdk/v3@v3.259.0`, folder, env);
    await bash("go mod tidy", folder, env);
    writeFileSync(join(folder, "Pulumi.yaml"), "name: rehearsal\nruntime: go\n");
}

/** Creates the stack's video, and deletes it. The plugin is downloaded where the program does not bring it. */
export async function lives(folder: string, source: string, { env }: Market): Promise<void> {
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

/** The variables that the emulator prints. */
export function exportsIn(printed: string): Record<string, string> {
    return Object.fromEntries(
        [...printed.matchAll(/^export (\w+)='(.*)'$/gm)].map(([, name = "", value = ""]) => [name, value]),
    );
}
