/** What every resource can do. It knows no engine protocol: both faces call it. */

import type { Definition } from "../definitions/definition";
import type { Change, CheckContext, Checked, Difference, Properties, RecordedObject } from "../inputs/values";
import type { Reporter } from "../messages";
import type { ObjectClaims } from "../operation/objectClaims";
import type { Operation } from "../operation/operation";

/** A resource as the engine records it. Outputs contain the inputs, what the service computed, and `__meta`. Without `inputs`, the recorded ones stay. */
export interface State {
    /** Set if the object of an unconfirmed record was found. */
    id?: string;
    inputs?: Properties | undefined;
    outputs: Properties;
}

export interface Lifecycle {
    /** `undefined` if it has no object on the service. */
    readonly definition?: Definition;
    readonly inputs: readonly string[];
    check(news: Properties, olds: Properties | undefined, context: CheckContext): Checked;
    diff(change: Change, reporter: Reporter, claims: ObjectClaims): Difference;
    create(inputs: Properties, operation: Operation): Promise<{ id: string; outputs: Properties }>;
    /** The object as it is now; `undefined` when it was surely deleted. */
    read(recorded: RecordedObject, operation: Operation): Promise<State | undefined>;
    /** An object that is not managed here, with the inputs that a program would declare. Missing where there is none on the service. */
    find?(id: string, operation: Operation): Promise<State | undefined>;
    update(change: Change, operation: Operation): Promise<Properties>;
    delete(recorded: RecordedObject, operation: Operation): Promise<void>;
}
