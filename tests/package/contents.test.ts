/** What the npm packages hold: what the tests run against, the same bytes each time, and code and types for every way to import them. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync, utimesSync } from "node:fs";
import { mkdtempDisposable, readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join, posix } from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { readPage } from "../docs/markdown.ts";
import { type PackageFolder, pack, packageFolders, repository, usePacked } from "./packages.ts";

/** Nothing but these may be published; anything new has to be thought of here. */
const allowed = {
    provider:
        /^(package\.json|README\.md|SKILL\.md|llms\.txt|LICENSE|bin\/[\w-]+\.js|src\/.+\.ts|dist\/.+\.d\.ts(\.map)?|dist\/api\/undici\.js|dist\/(index|native\/index|dynamic\/provider|program\/runLookup|cli\/main)\.js(\.map)?|dist\/cli\/pieces\.css|dist\/(sbom\.cdx\.json|THIRD-PARTY-NOTICES)|native\/package\.json|plugin\/(index\.js|schema\.json|sbom\.cdx\.json|THIRD-PARTY-NOTICES|pulumi-resource-videograph(\.cmd)?))$/,
    emulator:
        /^(package\.json|README\.md|LICENSE|bin\/[\w-]+\.js|page\/\w+\.(html|css|mjs|mp4)|src\/.+\.ts|dist\/(openapi\.json|sbom\.cdx\.json|THIRD-PARTY-NOTICES|.+(\.d\.ts|\.js)(\.map)?))$/,
};

const run = promisify(execFile);

/** Dependencies of `@pulumi/pulumi`, which the provider's process has from there. */
const ofTheSdk = ["@grpc/grpc-js", "typescript"];

interface Manifest {
    name: string;
    exports: Record<string, unknown>;
    dependencies: Record<string, string>;
    peerDependencies?: Record<string, string>;
    homepage: string;
    bugs: string;
    funding: string;
    repository: { url: string; directory: string };
    engines: { node: string };
}

async function manifest(folder: string): Promise<Manifest> {
    return JSON.parse(await readFile(join(repository, folder, "package.json"), "utf8")) as Manifest;
}

describe("The npm package", () => {
    const packed = usePacked();
    for (const folder of packageFolders) describe(`in ${folder}/`, () => contentTests(folder));

    it("is packed the same again", async function () {
        if (process.env.TEST_TARBALLS) this.skip();
        await using target = await mkdtempDisposable(join(tmpdir(), "videograph-again-"));
        // A file that was written at another time.
        for (const folder of packageFolders) utimesSync(join(repository, folder, "README.md"), new Date(0), new Date());
        const again = await pack(target.path, ...packageFolders);
        for (const [index, folder] of packageFolders.entries())
            assert.ok(readFileSync(again[index]?.tarball ?? "").equals(readFileSync(packed[folder].tarball)), folder);
    });

    function contentTests(folder: PackageFolder): void {
        it("holds code, types, sources for the maps, README and licence, and nothing else", () => {
            const { files } = packed[folder];
            const never = /\.tsbuildinfo|\.test\.|node_modules|(^|\/)\.|\.env/;
            const odd = files.filter((file) => !allowed[folder].test(file) || never.test(file));
            assert.deepEqual(odd, []);
            for (const file of ["README.md", "LICENSE", "package.json"]) assert.ok(files.includes(file), file);
        });

        it("names its home in package.json, and its pages have links that work on the registry's page", async () => {
            const { homepage, bugs, repository: source, funding, exports, engines } = await manifest(folder);
            const home = source.url.replace(/^git\+|\.git$/g, "");
            assert.match(home, /^https:\/\/github\.com\/[\w-]+\/pulumi-videograph$/);
            assert.equal(source.directory, folder);
            for (const url of [homepage, bugs, funding]) assert.ok(url.startsWith(home), url);
            assert.ok(exports["."] !== undefined && engines.node !== "");
            const pages = packed[folder].files.filter((file) => /\.md$|^llms\.txt$/.test(file));
            const expected = folder === "provider" ? ["README.md", "SKILL.md", "llms.txt"] : ["README.md"];
            assert.deepEqual(pages.sort(), expected);
            const links = pages
                .flatMap((page) => readPage(`${folder}/${page}`).links)
                .filter((link) => link[0] !== "#");
            assert.ok(links.length > 0);
            for (const link of links) {
                assert.match(link, /^https?:/, "A path of the repository is nothing on the registry's page");
                const [, path] = link.startsWith(`${home}/blob/main/`) ? link.split("/blob/main/") : [];
                if (path !== undefined) assert.ok(existsSync(join(repository, path.replace(/#.*/, ""))), link);
            }
        });

        it("holds the source of every map", async () => {
            const { files } = packed[folder];
            const maps = files.filter((file) => file.endsWith(".js.map"));
            const named = new Set<string>();
            for (const map of maps) {
                const { sources } = JSON.parse(await readFile(join(repository, folder, map), "utf8"));
                for (const source of sources as string[]) named.add(posix.join(posix.dirname(map), source));
            }
            const own = [...named].filter((source) => source.startsWith("src/"));
            assert.ok(own.length > 30, String(own));
            // The commands' sources and those of libraries are not in the package.
            const missing = [...named].filter((source) => !files.includes(source));
            assert.deepEqual(
                missing.filter((source) => !/^(\.\.\/cli\/src|.*node_modules)\//.test(source)),
                [],
            );
        });

        it("loads no package that is not installed with it", async () => {
            const { name: own, dependencies, peerDependencies = {} } = await manifest(folder);
            const installed = [own, ...Object.keys({ ...dependencies, ...peerDependencies }), ...ofTheSdk];
            for (const file of packed[folder].files.filter((path) => /^(dist|bin)\/.+\.js$/.test(path))) {
                const text = await readFile(join(repository, folder, file), "utf8");
                for (const [, name = ""] of text.matchAll(/\brequire\("([^".][^"]*)"\)/g)) {
                    // Its own `imports`.
                    const isOwn = packed[folder].files.includes(name.replace(/^#provider\/(.*)$/, "dist/$1.js"));
                    const known = isOwn || isBuiltin(name) || installed.some((one) => name.startsWith(one));
                    assert.ok(known, `${file} loads ${name}: npm run build puts it into the package, tsc does not`);
                }
            }
        });

        it("names no path of the machine it was built on", async () => {
            for (const file of packed[folder].files) {
                const text = await readFile(join(repository, folder, file), "utf8");
                assert.ok(!text.includes(repository), `${file} holds the path of this checkout`);
            }
        });

        it("holds the very files that the tests run against, with the licence of the repository", async () => {
            const { tarball, files } = packed[folder];
            await using target = await mkdtempDisposable(join(tmpdir(), "videograph-tarball-"));
            // By a relative path: GNU tar takes what is before the colon of a Windows path for a host.
            await run("tar", ["-xf", basename(tarball), "-C", target.path], { cwd: dirname(tarball) });
            const built = files.filter((file) => /^(dist|bin|page|native|plugin)\//.test(file));
            assert.ok(built.length > 20);
            const packedFile = (file: string) => readFileSync(join(target.path, "package", file));
            for (const file of built)
                assert.ok(packedFile(file).equals(readFileSync(join(repository, folder, file))), `${file} is another`);
            assert.ok(packedFile("LICENSE").equals(readFileSync(join(repository, "LICENSE"))));
        });

        it("is clean by publint", async () => {
            const { messages, pkg } = await publint({
                pack: { tarball: (await readFile(packed[folder].tarball)).buffer as ArrayBuffer },
                level: "suggestion",
                strict: true,
            });
            const problems = messages.map((message) => formatMessage(message, pkg, { color: false }));
            assert.deepEqual(problems, []);
        });

        it("resolves with its types from CommonJS, ES modules and bundlers, by attw", async () => {
            const attw = join(repository, "node_modules", ".bin", "attw");
            // `pulumi-videograph/plugin` is a process and has no types. install.test.ts compiles with "moduleResolution": "node".
            const args = ["--profile", "node16", "--exclude-entrypoints", "plugin", "--no-emoji", "--no-color"];
            await run(process.execPath, [attw, packed[folder].tarball, ...args]).catch((error: { stdout: string }) =>
                assert.fail(error.stdout),
            );
        });
    }
});

it("The emulator's image runs without root", async () => {
    const text = await readFile(join(repository, "emulator", "Dockerfile"), "utf8");
    const last = text.slice(text.lastIndexOf("\nFROM "));
    assert.doesNotMatch(last.slice(last.indexOf("\nUSER node\n")), /^(COPY|ADD|RUN|USER root)/m);
});
