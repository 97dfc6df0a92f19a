/** The package's public surface as typedoc reads it: the classes and functions that programs import, with their docstrings. */
import { join } from "node:path";
import { Application, type DeclarationReflection, type ProjectReflection, ReflectionKind } from "typedoc";

export const repository = join(import.meta.dirname, "..", "..");

/** A resource class, with the interface of its inputs. */
export interface Resource {
    readonly declaration: DeclarationReflection;
    readonly args: DeclarationReflection;
}

/** A lookup, with its Output form and the interface of its arguments. */
export interface Lookup {
    readonly declaration: DeclarationReflection;
    readonly outputForm: DeclarationReflection;
    readonly args: DeclarationReflection;
}

export interface Surface {
    readonly resources: readonly Resource[];
    readonly lookups: readonly Lookup[];
}

export async function readSurface(): Promise<Surface> {
    const provider = join(repository, "provider");
    const app = await Application.bootstrap({
        entryPoints: [join(provider, "src", "index.ts")],
        tsconfig: join(provider, "tsconfig.json"),
        excludeExternals: true,
        excludeInternal: true,
        excludePrivate: true,
        sort: ["source-order"],
        readme: "none",
        disableSources: true,
        // The build checks the types.
        skipErrorChecking: true,
        logLevel: "Warn",
        // A broken link must not be committed.
        treatWarningsAsErrors: true,
    });
    const project = await app.convert();
    if (project === undefined) throw new Error("typedoc cannot read the package's sources.");
    app.validate(project);
    if (app.logger.hasErrors() || app.logger.hasWarnings()) {
        throw new Error("typedoc complains about the docstrings in provider/src; see above.");
    }
    return surfaceOf(project);
}

function surfaceOf(project: ProjectReflection): Surface {
    const all = (kind: ReflectionKind) => (project.children ?? []).filter((child) => child.kind === kind);
    const named = (name: string) => {
        const found = project.children?.find((child) => child.name === name);
        if (found === undefined) throw new Error(`provider/src/index.ts does not export ${name}.`);
        return found;
    };
    return {
        resources: all(ReflectionKind.Class).map((declaration) => ({
            declaration,
            args: named(`${declaration.name}Args`),
        })),
        lookups: all(ReflectionKind.Variable)
            .filter(({ name }) => !name.endsWith("Output"))
            .map((declaration) => ({
                declaration,
                outputForm: named(`${declaration.name}Output`),
                args: named(`${declaration.name[0]?.toUpperCase()}${declaration.name.slice(1)}Args`),
            })),
    };
}
