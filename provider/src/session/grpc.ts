/**
 * gRPC as the SDK has it: it is not a dependency of this package, and a client takes credentials only from its own copy. The
 * bundled plugin has its own copy instead (tools/plugin/build.ts).
 */
import { createRequire } from "node:module";
import type * as Grpc from "@grpc/grpc-js";

export const grpc: typeof Grpc = createRequire(require.resolve("@pulumi/pulumi"))("@grpc/grpc-js");
