// The policy pack: which rules there are, how strict they are, and what can be configured.
import { type Policies, PolicyPack, type ResourceValidationPolicy } from "@pulumi/policy";
import { isIn, type Naming, naming, publicPlayback, type Resource, testVideo, waitedFor } from "./rules";

/** Every policy has it: the names of the stacks that viewers see. */
const productionStacks = {
    productionStacks: { type: "array" as const, items: { type: "string" as const }, default: ["production"] },
};
interface Configuration {
    productionStacks: string[];
}

/** A rule that holds in production. */
function inProduction(
    name: string,
    description: string,
    rule: (resource: Resource) => string[],
): ResourceValidationPolicy {
    return {
        name,
        description,
        enforcementLevel: "mandatory",
        configSchema: { properties: productionStacks },
        validateResource: (args, report) => {
            const { productionStacks } = args.getConfig<Configuration>();
            if (isIn(productionStacks, args)) for (const message of rule(args)) report(message);
        },
    };
}

const policies: Policies = [
    inProduction("no-public-playback", "In production nothing is public: addresses are signed.", publicPlayback),
    inProduction("no-test-videos", "In production there are no test videos.", testVideo),
    {
        name: "waited-for",
        description: "In production `pulumi up` ends when every video plays.",
        enforcementLevel: "mandatory",
        configSchema: { properties: productionStacks },
        validateStack: (args, report) => {
            const { productionStacks } = args.getConfig<Configuration>();
            const resources = args.resources.filter((resource) => isIn(productionStacks, resource));
            for (const { message, urn } of waitedFor(resources)) report(message, urn);
        },
    },
    {
        name: "naming",
        description: "Titles and tags follow the conventions, in every stack.",
        enforcementLevel: "advisory",
        configSchema: {
            properties: {
                longestTitle: { type: "integer", default: 80 },
                ownerTag: { type: "string", default: "team-" },
            },
        },
        validateResource: (args, report) => {
            for (const message of naming(args, args.getConfig<Naming>())) report(message);
        },
    },
];

new PolicyPack("videograph", { policies });
