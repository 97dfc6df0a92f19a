// Stand-ins for what a generated SDK and the examples use of Pulumi's SDK for .NET and of System.Collections.Immutable: the shapes of their
// declarations, written for a compiler. Nothing runs.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Threading.Tasks;

namespace System.Collections.Immutable
{
    public struct ImmutableArray<T> : IEnumerable<T>
    {
        public IEnumerator<T> GetEnumerator() => throw new NotImplementedException();
        IEnumerator IEnumerable.GetEnumerator() => throw new NotImplementedException();
    }

    public class ImmutableDictionary<TKey, TValue> : Dictionary<TKey, TValue>
    {
    }
}

namespace Pulumi
{
    public class Input<T>
    {
        public static implicit operator Input<T>(T value) => null;
        public static implicit operator Input<T>(Output<T> value) => null;
        public static implicit operator Output<T>(Input<T> value) => null;
    }

    public class Output<T>
    {
        public Output<U> Apply<U>(Func<T, U> change) => null;
        public Output<U> Apply<U>(Func<T, Output<U>> change) => null;
        public Output<U> Apply<U>(Func<T, Input<U>> change) => null;
    }

    public static class Output
    {
        public static Output<T> CreateSecret<T>(T value) => null;
        public static Output<(T1, T2)> Tuple<T1, T2>(Input<T1> first, Input<T2> second) => null;
    }

    public struct Union<T0, T1>
    {
    }

    public class InputUnion<T0, T1> : Input<Union<T0, T1>>
    {
        public static implicit operator InputUnion<T0, T1>(T0 value) => null;
        public static implicit operator InputUnion<T0, T1>(T1 value) => null;
    }

    public class InputList<T> : Input<ImmutableArray<T>>, IEnumerable
    {
        public void Add(params Input<T>[] values) { }
        public IEnumerator GetEnumerator() => throw new NotImplementedException();
        public static implicit operator InputList<T>(T[] values) => null;
        public static implicit operator InputList<T>(Output<T>[] values) => null;
        public static implicit operator InputList<T>(List<T> values) => null;
    }

    public class InputMap<T> : Input<ImmutableDictionary<string, T>>, IEnumerable
    {
        public void Add(string key, Input<T> value) { }
        public Input<T> this[string key] { set { } }
        public IEnumerator GetEnumerator() => throw new NotImplementedException();
    }

    public class ResourceArgs
    {
        public static ResourceArgs Empty => null;
    }

    public class InvokeArgs
    {
        public static InvokeArgs Empty => null;
    }

    public class Alias
    {
        public Input<string> Type { get; set; }
    }

    public class CustomResourceOptions
    {
        public string Version { get; set; }
        public string PluginDownloadURL { get; set; }
        public Input<string> Id { get; set; }
        public List<Input<Alias>> Aliases { get; set; }
        public List<string> AdditionalSecretOutputs { get; set; }
        public static CustomResourceOptions Merge(CustomResourceOptions one, CustomResourceOptions other) => null;
    }

    public class InvokeOptions
    {
    }

    public class InvokeOutputOptions : InvokeOptions
    {
    }

    public class CustomResource
    {
        public CustomResource(string type, string name, ResourceArgs args, CustomResourceOptions options) { }
        public Output<string> Id => null;
    }

    public class ProviderResource : CustomResource
    {
        public ProviderResource(string package, string name, ResourceArgs args, CustomResourceOptions options)
            : base(package, name, args, options) { }
    }

    public class ResourceTypeAttribute : Attribute
    {
        public ResourceTypeAttribute(string type, string version) { }
    }

    public class Config
    {
        public string Require(string key) => null;
        public Output<string> RequireSecret(string key) => null;
    }

    public class Deployment
    {
        public static Deployment Instance => null;
        public Task<T> InvokeAsync<T>(string token, InvokeArgs args, InvokeOptions options) => null;
        public Output<T> Invoke<T>(string token, InvokeArgs args, InvokeOptions options) => null;
        public static Task<int> RunAsync(Func<IDictionary<string, object>> program) => null;
    }
}

namespace Pulumi.Serialization
{
    public class InputAttribute : Attribute
    {
        public InputAttribute(string name, bool required = false, bool json = false) { }
    }

    public class OutputAttribute : Attribute
    {
        public OutputAttribute(string name) { }
    }

    public class OutputTypeAttribute : Attribute
    {
    }

    public class OutputConstructorAttribute : Attribute
    {
    }
}

// The generator writes these into each SDK.
namespace Community.Pulumi.Videograph
{
    public class VideographResourceTypeAttribute : global::Pulumi.ResourceTypeAttribute
    {
        public VideographResourceTypeAttribute(string type) : base(type, "") { }
    }

    static class Utilities
    {
        public static string Version => null;
        public static global::Pulumi.InvokeOptions WithDefaults(this global::Pulumi.InvokeOptions options) => null;
        public static global::Pulumi.InvokeOutputOptions WithDefaults(this global::Pulumi.InvokeOutputOptions options) => null;
    }
}
