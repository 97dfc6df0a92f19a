/** The package's resources: their lifecycles by name. */
export { content } from "./content/lifecycle";
export { contentLibrary } from "./contentLibrary/lifecycle";
export { contentReadiness } from "./contentReadiness/lifecycle";
export { livestream } from "./livestream/lifecycle";
