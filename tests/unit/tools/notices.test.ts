/** What is passed on inside a bundle has its licence with it; what has none is not passed on. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import manifest from "../../../provider/package.json" with { type: "json" };
import { bundledPackages, noticesOf, sbomOf } from "../../../tools/plugin/bundle.ts";

const { dependencies, scripts } = manifest;
const repository = join(import.meta.dirname, "..", "..", "..");

describe("Third-party notices", () => {
    let folder: string;
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "videograph-notices-"));
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    function install(name: string, files: Record<string, string>): void {
        const home = join(folder, "node_modules", name);
        mkdirSync(home, { recursive: true });
        const manifest = { name, version: "1.2.3", license: "MIT" };
        for (const [file, text] of Object.entries({ "package.json": JSON.stringify(manifest), ...files }))
            writeFileSync(join(home, file), text);
    }
    const input = { bytes: 1, imports: [] };
    const inputs = (...paths: string[]) => ({ inputs: Object.fromEntries(paths.map((path) => [path, input])) });

    it("hold every text of each package once, also of a package inside another", () => {
        install("@scope/one", { LICENSE: "one may be used", NOTICE: "one has authors" });
        install("two/node_modules/three", { "licence.md": "three may be used" });
        const paths = ["src/index.ts", "node_modules/@scope/one/a.js", "node_modules/@scope/one/lib/b.js"];
        const packages = bundledPackages(inputs(...paths, "node_modules/two/node_modules/three/c.js"), folder);
        const text = noticesOf(packages);
        for (const part of ["@scope/one 1.2.3 (MIT)", "one may be used", "one has authors", "three may be used"])
            assert.equal(text.split(part).length, 2, part);
        const { components } = JSON.parse(sbomOf("plugin", "1.0.0", packages)) as { components: { purl: string }[] };
        assert.equal(components[0]?.purl, "pkg:npm/%40scope/one@1.2.3");
    });

    it("cannot be written for a package without a licence, and every one is named", () => {
        install("one", { LICENSE: "one may be used" });
        install("two", { LICENSE: " \n" });
        install("three", {});
        const paths = ["one", "two", "three"].map((name) => `node_modules/${name}/index.js`);
        assert.throws(() => bundledPackages(inputs(...paths), folder), /in two@1\.2\.3, three@1\.2\.3:/);
    });

    it("are in the built plugin and the emulator, with every package whose code is there", () => {
        const notices = (path: string) => readFileSync(join(repository, path, "THIRD-PARTY-NOTICES"), "utf8");
        for (const name of ["undici", "@grpc/grpc-js", "google-protobuf"])
            assert.match(notices("provider/plugin"), new RegExp(`^${name} \\d`, "m"));
        const list = JSON.parse(readFileSync(join(repository, "provider/plugin/sbom.cdx.json"), "utf8")) as {
            components: { name: string }[];
        };
        const names = list.components.map(({ name }) => name);
        for (const name of Object.keys(dependencies)) assert.ok(names.includes(name), name);
        assert.match(notices("emulator/dist"), /^mediabunny \d[\s\S]+Mozilla Public License/m);
    });

    it("leave out nothing of what npm installs with the package, which SECURITY.md names: no install script is run", () => {
        const security = readFileSync(join(repository, "SECURITY.md"), "utf8");
        const [, text = ""] = /npm package\s+depends on ([^,]+, .+?), and runs/s.exec(security) ?? [];
        const named = [...text.matchAll(/`(.+?)`/g)].map(([, name]) => name);
        assert.deepEqual(named, Object.keys(dependencies));
        const lock = JSON.parse(readFileSync(join(repository, "package-lock.json"), "utf8"));
        for (const name of Object.keys(dependencies))
            assert.equal(lock.packages[`node_modules/${name}`].hasInstallScript, undefined, name);
        for (const name of ["preinstall", "install", "postinstall"]) assert.ok(!(name in scripts), name);
    });
});
