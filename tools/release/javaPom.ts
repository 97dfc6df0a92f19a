/** The Maven project of the Java SDK. */

export interface PublishedSchema {
    readonly version: string;
    readonly description: string;
    /** The repository that it is released from. */
    readonly repository?: string;
}

const plugins = [
    { name: "maven-resources-plugin", version: "3.3.1" },
    { name: "maven-compiler-plugin", version: "3.13.0" },
    { name: "maven-surefire-plugin", version: "3.5.2" },
    { name: "maven-jar-plugin", version: "3.4.2" },
    { name: "maven-install-plugin", version: "3.1.3" },
    { name: "maven-deploy-plugin", version: "3.1.3" },
    { name: "maven-source-plugin", version: "3.3.1", goal: "jar-no-fork" },
    { name: "maven-javadoc-plugin", version: "3.11.2", goal: "jar" },
];

/** What generated sources import. */
const dependencies = [
    { group: "com.pulumi", name: "pulumi", version: "1.36.1" },
    { group: "com.google.code.gson", name: "gson", version: "2.8.9" },
    { group: "com.google.code.findbugs", name: "jsr305", version: "3.0.2" },
];

/** The text of pom.xml. Throws where the schema does not say which repository it is released from. */
export function pomOf({ version, description, repository }: PublishedSchema): string {
    const [url, owner] = /^https:\/\/github\.com\/([\w-]+)\/[\w.-]+$/.exec(repository ?? "") ?? [];
    if (url === undefined || owner === undefined)
        throw new Error("provider/package.json names no GitHub repository, of which the Maven group is made");
    return `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
    <modelVersion>4.0.0</modelVersion>
    <groupId>io.github.${owner.toLowerCase()}</groupId>
    <artifactId>pulumi-videograph</artifactId>
    <version>${version}</version>
    <name>pulumi-videograph</name>
    <description>${description}</description>
    <url>${url}</url>
    <licenses>
        <license>
            <name>Apache-2.0</name>
            <url>https://www.apache.org/licenses/LICENSE-2.0.txt</url>
        </license>
    </licenses>
    <developers>
        <developer>
            <name>${owner}</name>
            <url>https://github.com/${owner}</url>
        </developer>
    </developers>
    <scm>
        <connection>scm:git:${url}.git</connection>
        <url>${url}</url>
    </scm>
    <properties>
        <maven.compiler.release>11</maven.compiler.release>
        <!-- One time for all files of the jars: the same sources give the same bytes. -->
        <project.build.outputTimestamp>2000-01-01T00:00:00Z</project.build.outputTimestamp>
        <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
        <!-- Descriptions are Markdown, which is no valid HTML everywhere. -->
        <doclint>none</doclint>
    </properties>
    <dependencies>${dependencies
        .map(
            ({ group, name, version }) => `
        <dependency>
            <groupId>${group}</groupId>
            <artifactId>${name}</artifactId>
            <version>${version}</version>
        </dependency>`,
        )
        .join("")}
    </dependencies>
    <build>
        <plugins>${plugins.map(plugin).join("")}
        </plugins>
    </build>
</project>
`;
}

function plugin({ name, version, goal }: (typeof plugins)[number]): string {
    const executions =
        goal === undefined
            ? ""
            : `
                <executions>
                    <execution>
                        <goals>
                            <goal>${goal}</goal>
                        </goals>
                    </execution>
                </executions>`;
    return `
            <plugin>
                <artifactId>${name}</artifactId>
                <version>${version}</version>${executions}
            </plugin>`;
}
