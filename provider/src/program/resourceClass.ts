/**
 * Makes the classes of the dynamic and of the native resources. Each extends the SDK's class directly: the SDK counts the constructors to find the
 * line of the program that declares a resource.
 */
import * as pulumi from "@pulumi/pulumi";
import { type Definition, secretOutputs } from "../definitions/definition";
import { ignoredInVain } from "../inputs/validate";
import type { ResourceKind } from "../typeTokens";
import { providerOf } from "./providerOf";
import { refuseUnreadableTimeouts } from "./refusals";
import { dynamicFace, type Face, hiddenInputs, isOfType, type Options, propertiesOf } from "./registration";

/** The type of the inputs as outputs. */
export type Outputs<Args> = { readonly [name in keyof Required<Args>]: pulumi.Output<pulumi.Unwrap<Args[name]>> };

/** The inputs of an object. A program has to give `importId` of an existing object, or the inputs that a create needs (`Needed`). */
export type NewOrAdopted<Inputs extends { importId?: unknown }, Needed extends keyof Inputs> = Inputs &
    (Given<Inputs, "importId"> | Given<Inputs, Needed>);

type Given<Inputs, Needed extends keyof Inputs> = { [name in Needed]-?: Exclude<Inputs[name], undefined> };

export interface ResourceClass<Resource, Args> {
    new (name: string, args: Args, opts?: pulumi.CustomResourceOptions): Resource;
    /** Whether the object is a resource of this class, also one of another copy of this package. */
    isInstance(object: unknown): object is Resource;
}

/** The class of a content, a clip or a livestream: each is an object of the service, which `get` can read. */
export interface ObjectClass<Resource, Args> extends ResourceClass<Resource, Args> {
    /**
     * Reads an existing object without managing it. It sends a request in every preview and every `pulumi up`, and needs credentials.
     * Pulumi never changes or deletes the object. An id that does not exist is an error. {@link getContent} and {@link getLivestream}
     * do the same without an entry in the state.
     */
    get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Resource;
}

interface Registration {
    inputs: pulumi.Inputs;
    opts: Options;
    /** Adds outputs that the engine does not know, such as `contentId`. */
    complete?(resource: pulumi.CustomResource): unknown;
}

/** Makes a class. `Resource` is the type of its instances, whose outputs the SDK sets at run time. */
export function resourceClass<Resource, Args>(
    face: Face,
    kind: ResourceKind,
    registrationOf: (args: Args, opts: Options, name: string) => Registration,
): ObjectClass<Resource, Args> {
    const type = face.typeOf(kind);
    const declaredClass = class extends pulumi.CustomResource {
        static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions) {
            return new declaredClass(name, {} as Args, { ...opts, id });
        }

        static override isInstance(object: unknown): object is pulumi.CustomResource {
            return isOfType(object, type);
        }

        constructor(name: string, args: Args, opts?: pulumi.CustomResourceOptions) {
            const resumeTraces = stopTraces();
            try {
                refuseUnreadableTimeouts(`${kind} "${name}"`, opts?.customTimeouts ?? {});
                const hidden = hiddenInputs(face, kind, name, opts);
                // A program in JavaScript may leave out the arguments. Then the check says what is missing.
                const given = args ?? ({} as Args);
                const { inputs, opts: own, complete } = registrationOf(given, opts, name);
                const provider = providerOf(face.package, opts ?? {});
                const options = { ...face.optionsOf(kind, own), ...(provider && { provider }) };
                super(type, name, { ...inputs, ...hidden }, options);
                complete?.(this);
                // The SDK does not pass `ignoreChanges` to a dynamic provider, so wrong names in it are reported here. The plugin of native resources
                // reports them itself.
                if (face === dynamicFace)
                    for (const problem of ignoredInVain(own?.ignoreChanges ?? [], Object.keys(inputs)))
                        pulumi.log.warn(problem, this);
            } finally {
                resumeTraces();
            }
        }
    };
    Object.defineProperty(declaredClass, "name", { value: kind });
    return declaredClass as unknown as ObjectClass<Resource, Args>;
}

export function objectClass<Resource, Args extends object>(
    face: Face,
    definition: Definition,
): ObjectClass<Resource, Args> {
    const { name, idName } = definition;
    return resourceClass(face, name, (args, opts) => ({
        inputs: propertiesOf(definition, face.argsOf?.(args) ?? args, opts),
        opts: pulumi.mergeOptions({ additionalSecretOutputs: secretOutputs(definition) }, opts),
        // Adds the id under the service's name, `contentId` or `streamUUID`. Not for a clip: its `contentId` is the content that it is cut from.
        complete: (resource) => name !== "Clip" && Object.assign(resource, { [idName]: resource.id }),
    }));
}

/**
 * Turns off stack traces until the returned function is called. The SDK takes four of them for each property, and uses them only in its search for
 * leaked promises. They are most of the time that a program spends on a resource.
 */
function stopTraces(): () => void {
    const { stackTraceLimit } = Error;
    if (!process.env.PULUMI_DEBUG_PROMISE_LEAKS) Error.stackTraceLimit = 0;
    return () => {
        Error.stackTraceLimit = stackTraceLimit;
    };
}
