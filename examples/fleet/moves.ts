// What lies in another stack than it belongs to. That is so after the number of stacks was changed: without moving them first, one
// stack would delete these videos and another one would create them again, with new ids and URLs.
import { LocalWorkspace } from "@pulumi/pulumi/automation";
import type { Settings } from "./catalogue";
import { indexOf, stackIndex, stackName } from "./shares";

export interface Move {
    readonly from: string;
    readonly to: string;
    readonly urns: string[];
}

interface Exported {
    deployment?: { resources?: { urn: string; type: string }[] };
}

/** The stacks of the fleet that exist, also those that are more than `stacks` of fleet.json. */
export async function existingStacks(): Promise<Set<string>> {
    const workspace = await LocalWorkspace.create({ workDir: __dirname });
    const names = (await workspace.listStacks()).map(({ name }) => name);
    return new Set(names.filter((name) => stackIndex(name) !== undefined));
}

/** Reads the state of all of them. */
export async function misplacedVideos(existing: ReadonlySet<string>, { stacks }: Settings): Promise<Move[]> {
    const workspace = await LocalWorkspace.create({ workDir: __dirname });
    const moves = new Map<string, Move>();
    for (const from of existing) {
        const { deployment } = (await workspace.exportStack(from)) as Exported;
        for (const { urn, type } of deployment?.resources ?? []) {
            const to = stackName(indexOf(urn.split("::").at(-1) ?? "", stacks));
            if (to === from || !isContent(type)) continue;
            const move = moves.get(`${from} ${to}`) ?? { from, to, urns: [] };
            move.urns.push(urn);
            moves.set(`${from} ${to}`, move);
        }
    }
    return [...moves.values()];
}

function isContent(type: string): boolean {
    return type === "pulumi-nodejs:dynamic/videograph:Content" || type === "videograph:index:Content";
}

/** As commands for a shell; a command has at most a hundred of them. */
export function describeMoves(moves: readonly Move[]): string {
    if (moves.length === 0) return "Every video is in the stack that it belongs to.";
    const count = moves.reduce((sum, { urns }) => sum + urns.length, 0);
    const lines = [
        `${count} videos belong to another stack since the number of stacks was changed. Move them first, while no run is under way:`,
        "",
        ...new Set(moves.map(({ to }) => `pulumi stack select --create ${to}`)),
    ];
    for (const { from, to, urns } of moves) {
        for (let at = 0; at < urns.length; at += 100) {
            const quoted = urns.slice(at, at + 100).map((urn) => `'${urn.replaceAll("'", "'\\''")}'`);
            lines.push(`pulumi state move --yes --source ${from} --dest ${to} ${quoted.join(" ")}`);
        }
    }
    return lines.join("\n");
}
