/** The empty lifecycle as a resource plugin: what the engine needs by itself for native resources with the same inputs and outputs. */
const { createRequire } = require("node:module");
const { outputsOf } = require("../videos.js");

const sdk = createRequire(require.resolve("@pulumi/pulumi"));
const grpc = sdk("@grpc/grpc-js");
const { ResourceProviderService } = sdk("./proto/provider_grpc_pb");
const messages = sdk("./proto/provider_pb");
const { PluginInfo } = sdk("./proto/plugin_pb");
const { Empty } = sdk("google-protobuf/google/protobuf/empty_pb");
const { Struct } = sdk("google-protobuf/google/protobuf/struct_pb");

// As with the others, an interrupt ends the process in order: exit hooks run.
process.on("SIGINT", () => process.exit(0));

let ids = 0;
const answer = (body) => (call, callback) => callback(null, body(call.request));
const server = new grpc.Server();
server.addService(ResourceProviderService, {
    handshake: answer(() => new messages.ProviderHandshakeResponse()),
    getPluginInfo: answer(() => new PluginInfo().setVersion("1.0.0")),
    checkConfig: answer((request) => new messages.CheckResponse().setInputs(request.getNews())),
    diffConfig: answer(() => new messages.DiffResponse().setChanges(messages.DiffResponse.DiffChanges.DIFF_NONE)),
    configure: answer(() => new messages.ConfigureResponse().setSupportspreview(true)),
    check: answer((request) => new messages.CheckResponse().setInputs(request.getNews())),
    diff: answer(() => new messages.DiffResponse().setChanges(messages.DiffResponse.DiffChanges.DIFF_NONE)),
    create: answer((request) => {
        const response = new messages.CreateResponse();
        const inputs = request.getProperties();
        if (request.getPreview()) return response.setProperties(inputs);
        response.setId(`item-${process.pid}-${++ids}`);
        return response.setProperties(Struct.fromJavaScript(outputsOf(inputs.toJavaScript(), ids)));
    }),
    read: answer((request) =>
        new messages.ReadResponse()
            .setId(request.getId())
            .setProperties(request.getProperties())
            .setInputs(request.getInputs()),
    ),
    delete: answer(() => new Empty()),
    cancel: answer(() => new Empty()),
});
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
    if (error) throw error;
    console.log(port);
});
