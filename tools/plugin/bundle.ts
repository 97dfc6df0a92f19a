/**
 * Makes bundles. Beside them it writes THIRD-PARTY-NOTICES, with the licences that the packages inside require to be passed on, and a software bill of
 * materials (SBOM). A package without a licence text ends the build.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type BuildOptions, build, type Metafile } from "esbuild";

export interface Bundled {
    readonly name: string;
    readonly version: string;
    /** An SPDX expression. */
    readonly license: string;
    /** All licences and notices of the package, as they are. */
    readonly text: string;
}

/** The packages inside a bundle, sorted by name. @throws {Error} that names each package without a licence */
export function bundledPackages({ inputs }: Pick<Metafile, "inputs">, workFolder = process.cwd()): Bundled[] {
    const folders = Object.keys(inputs).flatMap((path) => {
        const [folder] = /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path) ?? [];
        return folder === undefined ? [] : [resolve(workFolder, folder)];
    });
    const packages = [...new Set(folders)].map(packageIn);
    const without = packages.filter(({ text, license }) => text === "" || license === undefined);
    if (without.length > 0) {
        const names = without.map(({ name, version }) => `${name}@${version}`).join(", ");
        throw new Error(`No licence text or no SPDX expression is in ${names}: the bundle cannot be passed on`);
    }
    return sorted(packages);
}

function sorted(packages: readonly Bundled[]): Bundled[] {
    return packages.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function packageIn(folder: string): Bundled {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Bundled;
    const texts = readdirSync(folder)
        .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
        .sort()
        .map((file) => readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim());
    const { name, version, license } = manifest;
    return { name, version, license, text: texts.filter((text) => text !== "").join("\n\n") };
}

/** The text of THIRD-PARTY-NOTICES. */
export function noticesOf(packages: readonly Bundled[]): string {
    const line = "=".repeat(80);
    const parts = packages.map(
        ({ name, version, license, text }) => `${line}\n${name} ${version} (${license})\n${line}\n\n${text}\n`,
    );
    return `This software contains these packages, under their own licences.\n\n${parts.join("\n")}`;
}

/** The SBOM, in the form of CycloneDX. It has no time and no serial number, so that the same packages give the same bytes. */
export function sbomOf(name: string, version: string, packages: readonly Omit<Bundled, "text">[]): string {
    const component = (type: string, part: Omit<Bundled, "text">) => ({
        type,
        name: part.name,
        version: part.version,
        purl: `pkg:npm/${part.name.replace("@", "%40")}@${part.version}`,
        licenses: [{ expression: part.license }],
    });
    const sbom = {
        bomFormat: "CycloneDX",
        specVersion: "1.6",
        version: 1,
        metadata: { component: component("application", { name, version, license: "Apache-2.0" }) },
        components: packages.map((part) => component("library", part)),
    };
    return `${JSON.stringify(sbom, undefined, 4)}\n`;
}

/**
 * Writes bundles, notices and SBOM into the folder, and returns the paths of all files inside the bundles. `dependencies`: folders of packages that are
 * installed beside the bundles; the SBOM lists them too.
 */
export async function bundle(
    folder: string,
    { name, version }: { name: string; version: string },
    builds: readonly BuildOptions[],
    dependencies: readonly string[] = [],
): Promise<string[]> {
    const built = builds.map((options) =>
        build({
            bundle: true,
            platform: "node",
            format: "cjs",
            legalComments: "external",
            logLevel: "warning",
            // Names are not shortened: stack traces stay readable. esbuild's `keepNames` would cost time and memory for each closure.
            minifyWhitespace: true,
            minifySyntax: true,
            outdir: folder,
            ...options,
            metafile: true,
        }),
    );
    const metafiles = (await Promise.all(built)).map(({ metafile }) => metafile);
    const inputs = Object.assign({}, ...metafiles.map((one) => one.inputs)) as Metafile["inputs"];
    const packages = bundledPackages({ inputs });
    const outputs = metafiles.flatMap((one) => Object.keys(one.outputs));
    const comments = outputs.filter((path) => path.endsWith(".LEGAL.txt"));
    const notices = [noticesOf(packages), ...comments.map((path) => readFileSync(path, "utf8"))];
    for (const path of comments) rmSync(path);
    writeFileSync(join(folder, "THIRD-PARTY-NOTICES"), notices.join("\n"));
    const installed = dependencies.map(packageIn).filter((one) => packages.every((other) => other.name !== one.name));
    writeFileSync(join(folder, "sbom.cdx.json"), sbomOf(name, version, sorted([...packages, ...installed])));
    return Object.keys(inputs);
}
