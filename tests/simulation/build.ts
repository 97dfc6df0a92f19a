/** The built package, or a copy of it that was broken on purpose. */
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(import.meta.url);

export interface Build {
    Adapter: typeof import("../../provider/dist/dynamic/adapter.js").Adapter;
    Session: typeof import("../../provider/dist/session/session.js").Session;
    ExportedState: typeof import("../../provider/dist/session/exportedState.js").ExportedState;
    journalFolders: typeof import("../../provider/dist/session/journalFolder.js").journalFolders;
    lifecycle: typeof import("../../provider/dist/lifecycle/index.js");
    resources: typeof import("../../provider/dist/resources/index.js");
    resourceProvider: typeof import("../../provider/dist/native/service.js").resourceProvider;
    Lifetime: typeof import("../../provider/dist/session/lifetime.js").Lifetime;
    errors: typeof import("../../provider/dist/api/errors.js");
}

export const builtPackage = join(import.meta.dirname, "..", "..", "provider", "dist");

/** Loads the package from a folder such as `provider/dist`. */
export function loadBuild(folder: string = builtPackage): Build {
    return {
        Adapter: require(join(folder, "dynamic", "adapter.js")).Adapter,
        Session: require(join(folder, "session", "session.js")).Session,
        ExportedState: require(join(folder, "session", "exportedState.js")).ExportedState,
        journalFolders: require(join(folder, "session", "journalFolder.js")).journalFolders,
        lifecycle: require(join(folder, "lifecycle", "index.js")),
        resources: require(join(folder, "resources", "index.js")),
        resourceProvider: require(join(folder, "native", "service.js")).resourceProvider,
        Lifetime: require(join(folder, "session", "lifetime.js")).Lifetime,
        errors: require(join(folder, "api", "errors.js")),
    };
}
