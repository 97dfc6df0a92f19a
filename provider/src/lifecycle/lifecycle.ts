/** What every kind of resource can do. No engine protocol is known here: the provider of dynamic resources and the plugin call the same methods. */

import type { Definition } from "../definitions/definition";
import type { Change, CheckContext, Checked, Difference, Properties, RecordedObject } from "../inputs/values";
import type { Reporter } from "../messages";
import type { ObjectClaims } from "../operation/objectClaims";
import type { Operation } from "../operation/operation";

/** A resource as the engine records it. The outputs have the inputs too, and `__meta`. Without `inputs`, the recorded inputs stay. */
export interface State {
    /** The object's id, where the record had none: the read has found the object of a create that ended in doubt. */
    id?: string;
    inputs?: Properties | undefined;
    outputs: Properties;
}

export interface Lifecycle {
    /** The definition; `undefined` for a resource without an object on the service. */
    readonly definition?: Definition;
    readonly inputs: readonly string[];
    check(news: Properties, olds: Properties | undefined, context: CheckContext): Checked;
    diff(change: Change, reporter: Reporter, claims: ObjectClaims): Difference;
    create(inputs: Properties, operation: Operation): Promise<{ id: string; outputs: Properties }>;
    /** The object as it is now; `undefined` when it was surely deleted. */
    read(recorded: RecordedObject, operation: Operation): Promise<State | undefined>;
    /**
     * Finds an object that the state does not have, with the inputs that a program would declare for it. Only for kinds with an object on the
     * service.
     */
    find?(id: string, operation: Operation): Promise<State | undefined>;
    update(change: Change, operation: Operation): Promise<Properties>;
    delete(recorded: RecordedObject, operation: Operation): Promise<void>;
}
