/** A Pulumi project on the disk: its program, its other files, and the state of its stack. */
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A resource as the state file holds it. */
interface StateResource {
    urn: string;
    type: string;
    id?: string;
    inputs?: Record<string, unknown>;
    outputs?: Record<string, unknown>;
    initErrors?: string[];
}

export interface State {
    resources: StateResource[];
    pending_operations?: { type: string; resource: StateResource }[];
}

/** Which of the package's two faces a program imports. */
export type Face = "dynamic" | "native";

export const stackName = "test";
export const configFile = `Pulumi.${stackName}.yaml`;
/** The state of a backend that is a folder in the project's. */
export const stateFile = join("state", ".pulumi", "stacks", "e2e", `${stackName}.json`);

export abstract class ProjectFolder {
    /** What the next program imports. */
    face: Face;

    /** Reads the state of a backend that is no folder of the project's. */
    sharedState: (() => Promise<string>) | undefined;

    /** The project's folder: where Pulumi.yaml and index.js are. */
    readonly folder: string;

    constructor(folder: string, face: Face) {
        this.folder = folder;
        this.face = face;
    }

    /** A run that is under way may be writing the state. */
    protected abstract get isRunning(): boolean;

    /** Writes a file into the project. */
    async write(file: string, text: string): Promise<void> {
        await mkdir(dirname(join(this.folder, file)), { recursive: true });
        await writeFile(join(this.folder, file), text);
    }

    /**
     * Writes the program. Its imports are given: `pulumi`, `videograph` with the types of the stack's face, and `dynamic` and `native` where it
     * uses them. `body` declares resources and sets `exports`.
     */
    async program(body: string): Promise<void> {
        const faces = { dynamic: "pulumi-videograph", native: "pulumi-videograph/native" };
        const used = Object.entries(faces).filter(([face]) => new RegExp(`\\b${face}\\b`).test(body));
        const modules = { pulumi: "@pulumi/pulumi", videograph: faces[this.face], ...Object.fromEntries(used) };
        const imports = Object.entries(modules).map(([name, module]) => `const ${name} = require("${module}");\n`);
        await writeFile(join(this.folder, "index.js"), imports.join("") + body);
    }

    /** The state as the file backend holds it, secrets encrypted. */
    async state(): Promise<State> {
        const { checkpoint } = (await this.#stateFile()) as { checkpoint: { latest?: Partial<State> | null } };
        return { ...checkpoint.latest, resources: checkpoint.latest?.resources ?? [] };
    }

    /** A run that is under way may be writing it. */
    async #stateFile(): Promise<unknown> {
        const { isRunning } = this;
        try {
            return JSON.parse(await this.stateText());
        } catch (error) {
            if (!isRunning) throw error;
            await sleep(20);
            return await this.#stateFile();
        }
    }

    async stateText(): Promise<string> {
        if (this.sharedState !== undefined) return await this.sharedState();
        return await readFile(join(this.folder, stateFile), "utf8");
    }

    /** What becomes of the resources when a state is lost or edited: those of a backend that is a folder. */
    async editState(edit: (resources: StateResource[]) => StateResource[]): Promise<void> {
        const file = JSON.parse(await this.stateText()) as { checkpoint: { latest: State } };
        file.checkpoint.latest.resources = edit(file.checkpoint.latest.resources);
        await this.write(stateFile, JSON.stringify(file));
    }

    /** This package's own resources in the state. */
    async resources(): Promise<StateResource[]> {
        return (await this.state()).resources.filter(({ type }) =>
            /^(pulumi-nodejs:dynamic\/videograph|videograph:index):/.test(type),
        );
    }

    /** Their ids, by name. */
    async ids(): Promise<Record<string, string | undefined>> {
        return Object.fromEntries((await this.resources()).map(({ urn, id }) => [urn.split("::").at(-1), id]));
    }

    async resource(name: string): Promise<StateResource> {
        const found = (await this.resources()).find(({ urn }) => urn.endsWith(`::${name}`));
        assert.ok(found, `There is no resource ${name} in the state`);
        return found;
    }

    async resourceId(name: string): Promise<string> {
        const { id } = await this.resource(name);
        assert.ok(id, `The resource ${name} has no id`);
        return id;
    }
}
