/** The standard set of tests, through the plugin. */
import { clipKind } from "../e2e/clipKind.ts";
import { contentKind } from "../e2e/contentKind.ts";
import { livestreamKind } from "../e2e/livestreamKind.ts";
import { standardTests } from "../e2e/standard.ts";

standardTests([contentKind, clipKind, livestreamKind], "native");
