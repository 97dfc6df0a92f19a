/** Everything that each resource of this package passes to the engine in addition to its own inputs. */

import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { type Definition, holdsAddresses, propertyNames } from "../inputs/definition";
import { messages } from "../messages";
import { holdsPresigned } from "../session/secretValues";
import { providerText, type ResourceKind, typeOf } from "../typeTokens";
import { shortUrn } from "../urn";

/**
 * The hidden inputs. `__provider` is a constant that loads the installed package, so that an upgrade also serves resources
 * that older versions created, and state holds no code.
 */
export function hiddenInputs(
    kind: ResourceKind,
    name: string,
    opts: pulumi.CustomResourceOptions | undefined,
): pulumi.Inputs {
    if (opts?.import !== undefined) {
        throw new pulumi.RunError(messages.importOption({ kind, name }));
    }
    requireResolvable();
    return {
        __provider: providerText(kind),
        ...(opts?.id !== undefined
            ? { __get: true }
            : {
                  __urn: shortUrnOf(kind, name, opts?.parent),
                  __organization: organization(),
                  // The engine keeps this option to itself.
                  __timeouts: opts?.customTimeouts,
                  ...attemptInput(),
              }),
    };
}

/**
 * The check replaces this with a random text that identifies one attempt of the engine to create the object: the engine records the
 * inputs of a create before it calls the provider, and keeps them if the create never ends. Unknown in a preview, so that an
 * update plan takes any value.
 */
export function attemptInput(): pulumi.Inputs {
    return { __attempt: pulumi.runtime.isDryRun() ? pulumi.output(pulumi.unknown) : "new" };
}

/** The stack's organization, for the journal: the engine passes it only to programs. */
export function organization(): string | undefined {
    try {
        return pulumi.getOrganization();
    } catch {
        return undefined; // In a user's tests, or with an old CLI.
    }
}

/**
 * The resource's own URN, as a plain promise: an input that depends on a component waits for all of the component's
 * children, so two of them that know their parent's URN as an Output would wait for each other for ever.
 */
function shortUrnOf(kind: ResourceKind, name: string, parent: pulumi.Resource | undefined): Promise<string> {
    const type = typeOf(kind);
    const urn = pulumi.createUrn(name, type, parent);
    return new Promise((resolve) => urn.apply((text) => resolve(shortUrn(text, type))));
}

/**
 * Stops the stack traces that the SDK takes in a constructor, four for each property, until the answer is called: they are
 * most of what a resource costs the program, and only the search for leaked promises uses them. Where a resource was
 * declared is reported all the same, because the SDK takes that trace at any length; it counts the constructors on the way, so
 * that a class must extend CustomResource itself, and call this itself.
 */
export function stopTraces(): () => void {
    const { stackTraceLimit } = Error;
    if (!process.env.PULUMI_DEBUG_PROMISE_LEAKS) Error.stackTraceLimit = 0;
    return () => {
        Error.stackTraceLimit = stackTraceLimit;
    };
}

/**
 * The properties as the engine is given them: each has to be named, or `.get` does not have it. Unknown properties are
 * passed on too: the check reports each with the right name.
 */
export function propertiesOf(
    definition: Definition,
    args: object,
    opts: pulumi.CustomResourceOptions | undefined,
    hidden: pulumi.Inputs,
): pulumi.Inputs {
    refuseLostKeys(args);
    const given: pulumi.Inputs = opts?.id === undefined ? { ...args } : {};
    for (const [input, { type }] of Object.entries(definition.inputs)) {
        if (holdsAddresses(type) && given[input] !== undefined)
            given[input] = pulumi.output(given[input]).apply(secretIfPresigned);
    }
    const unset = Object.fromEntries(propertyNames(definition).map((property) => [property, undefined]));
    return { ...unset, ...given, ...hidden };
}

/** The SDK drops them on the way to the engine. */
function refuseLostKeys(args: object): void {
    for (const [input, value] of Object.entries(args)) {
        if (typeof value === "object" && value !== null && Object.hasOwn(value, "__proto__"))
            throw new pulumi.RunError(messages.keyLost({ input }));
    }
}

function secretIfPresigned(value: unknown): pulumi.Output<unknown> {
    return holdsPresigned(value) ? pulumi.secret(value) : pulumi.output(value);
}

let resolvable = false;

/** The provider process loads the package from the program's folder: if it cannot, fail now with the reason. */
function requireResolvable(): void {
    if (resolvable) return;
    try {
        // Of a file, existing or not: Jest's createRequire takes a folder for a file, and searches next to it.
        createRequire(join(process.cwd(), "index.js")).resolve("pulumi-videograph/provider");
        resolvable = true;
    } catch {
        if (isMocked()) return;
        throw new pulumi.RunError(messages.notLoadable({ folder: process.cwd() }));
    }
}

/** In unit tests with \`setMocks\` no provider process is started, and the working folder may be any. */
function isMocked(): boolean {
    return "mocks" in (pulumi.runtime.getMonitor() ?? {});
}

/** Whether the object is a resource of that type, also one of another copy of this package. */
export function isOfType(object: unknown, type: string): boolean {
    return typeof object === "object" && object !== null && "__pulumiType" in object && object.__pulumiType === type;
}
