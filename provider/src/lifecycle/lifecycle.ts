/** The operations of every resource. They know no engine protocol: both faces call them. */

import type { Definition } from "../definitions/definition";
import type { Change, CheckContext, Checked, Difference, Properties, RecordedObject } from "../inputs/values";
import type { Reporter } from "../messages";
import type { ObjectClaims } from "../operation/objectClaims";
import type { Operation } from "../operation/operation";

/** A resource as the engine records it. Outputs contain the inputs, the computed values, and `__meta`. Without `inputs`, the recorded inputs stay. */
export interface State {
    /** The object's id, if the object of an unconfirmed record was found. */
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
    /** An object that is not managed here, with the inputs that a program would declare. Not for a resource without an object on the service. */
    find?(id: string, operation: Operation): Promise<State | undefined>;
    update(change: Change, operation: Operation): Promise<Properties>;
    delete(recorded: RecordedObject, operation: Operation): Promise<void>;
}
