// Pulumi runs this folder as a plugin, after it has installed the dependencies.
require("pulumi-videograph/plugin");
