/** What the guides use of @pulumi/aws, as its version 7.48 declares it. */
declare module "@pulumi/aws" {
    import type { asset, CustomResource, Input, Output } from "@pulumi/pulumi";

    namespace s3 {
        class Bucket extends CustomResource {
            constructor(name: string);
            readonly bucket: Output<string>;
            readonly bucketRegionalDomainName: Output<string>;
        }
        class BucketObjectv2 extends CustomResource {
            constructor(
                name: string,
                args: {
                    bucket: Input<string>;
                    key?: Input<string>;
                    source?: Input<asset.Asset | asset.Archive>;
                },
            );
            readonly key: Output<string>;
        }
    }
}
