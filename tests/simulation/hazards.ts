/** What can go wrong in a life beyond lost answers and kills, each by a name, so that one can be looked at alone. */
export const hazards = [
    /** Optional fields of answers are absent, null, or of another type. */
    "gaps",
    /** Checkpoints are not written, for one step or from some step on, or only at the end (`PULUMI_SKIP_CHECKPOINTS`). */
    "checkpoints",
    /** The engine takes a while to record what a create gave it, and writes other steps meanwhile. */
    "slowEngine",
    /** A gateway answers 404. */
    "gateway404",
    /** `onError` hooks repeat failed creates in the same process. */
    "retries",
    /** Two clones of one project, each with a `file://.` of its own. */
    "clones",
    /** `state move` between stacks. */
    "moves",
    /** `stack rename`. */
    "renames",
    /** A resource gets another name and an alias. */
    "aliases",
    /** Every PUT of a run is refused. */
    "refusedUpdates",
    /** Presigned sources with a `sourceVersion`. */
    "versions",
    /** `--replace`, or a tainted resource: replaced without a diff. */
    "replace",
    /** A life ends in `destroy` and `stack rm` without another `up`. */
    "destroyed",
    /** Single requests are refused with a 4xx, by the service or by something in front of it. */
    "refusals",
    /** Later pages of lists are refused. */
    "cutLists",
    /** A create or a delete is carried out up to a minute after its sender has given up. */
    "lateAcceptance",
    /** Answers are redirects. */
    "redirects",
    /** Error answers of the service itself are not in its envelope. */
    "errorBodies",
    /** Clocks are apart, jump forward (a sleeping laptop) and back. */
    "clocks",
    /** A provider process outlives its engine, and the next run begins. */
    "outliving",
    /** A killed process that nobody reaps yet counts as alive; a new one may have its pid after a restart. */
    "pids",
    /** `up` and `destroy` under the token of another environment. */
    "foreignToken",
    /** The token is rotated. */
    "rotation",
    /** Objects that existed before are imported. */
    "imports",
    /** Subtitles, which programs add, change and take out. */
    "subtitles",
    /** `ContentReadiness`. */
    "readiness",
    /** The stack has the native types from the start, and the plugin serves it. */
    "native",
    /** A stack of dynamic resources gets the native types. */
    "migrations",
    /** A PUT empties what it does not name. */
    "replacingPut",
    /** A gateway answers a create with a 4xx other than 404, and the service has carried it out. */
    "deniedCreates",
    /** The provider finds no CLI that says what the state has. */
    "noCli",
] as const;

export type Hazard = (typeof hazards)[number];

/** What the package cannot bear, each with the reason. Lives have it only where it is asked for. */
export const unbearable: Partial<Record<Hazard, string>> = {
    deniedCreates:
        "A 4xx other than 408 and a gateway's 404 counts as a refusal: no error body is documented, so to doubt each of them " +
        "would mean to search, and to wait ten seconds, after every bad input.",
    noCli:
        "`up --replace` after a killed run and a lost checkpoint look alike to a provider. Without the CLI's word the " +
        "recorded object is resumed; if that run then fails before it deletes, the next one deletes it as the old object.",
};

export const usualHazards = hazards.filter((name) => unbearable[name] === undefined);
