/** The standard set of tests, through the dynamic provider. */
import { clipKind } from "./clipKind.ts";
import { contentKind } from "./contentKind.ts";
import { livestreamKind } from "./livestreamKind.ts";
import { standardTests } from "./standard.ts";

standardTests([contentKind, clipKind, livestreamKind]);
