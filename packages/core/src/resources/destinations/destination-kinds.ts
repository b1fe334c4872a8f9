import * as v from 'valibot'
import { httpUrl } from '../../operation/schema.ts'

/** Configuration of destinations of one kind: the target of the data, and the credentials for it. */
interface DestinationKindRules {
  readonly config: v.StrictObjectSchema<Readonly<Record<string, ConfigProperty>>, undefined>
  /** Properties of `config` that are stored but never returned. */
  readonly secrets: readonly string[]
}

type ConfigProperty = v.GenericSchema<string | undefined, string | undefined>

const word = () => matching(/^[!-~]{1,2048}$/, 'must be 1 to 2048 printable ASCII characters without spaces')

const roleArn = () =>
  matching(/^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,576}$/, 'must be the ARN of an IAM role')

const awsRegion = () => matching(/^[a-z]{2}(-[a-z]+)+-\d{1,2}$/, 'must be an AWS region, e.g. us-east-1')

const awsAccount = () => matching(/^\d{12}$/, 'must be the 12 digits of an AWS account')

const bucketName = () => matching(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of an S3 bucket')

const headerValue = () => matching(/^[ -~]{1,2048}$/, 'must be 1 to 2048 printable ASCII characters')

/** A name without path, so that a destination cannot write outside of the directory of the exporter. */
const fileName = () =>
  matching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, 'must be a file name of 1 to 100 letters, digits, ".", "_" and "-"')

/** A key copied from a file, with line breaks and any characters. */
const keyFile = () =>
  v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(10_000, 'must have at most 10000 characters'))

function matching(pattern: RegExp, reason: string) {
  return v.pipe(v.string(), v.regex(pattern, reason))
}

/**
 * The kinds of destinations. The reference API shows the properties of the first six. It does not show the properties
 * of the next three, so these properties have the names that the products use. The reference API does not have the last
 * three.
 */
export const destinationKinds = {
  'google-pubsub': kind({ project: word(), topic: word() }),
  kinesis: kind({ region: awsRegion(), roleArn: roleArn(), streamName: word() }),
  mparticle: kind(
    {
      apiKey: word(),
      secret: word(),
      userIdentity: word(),
      anonymousUserIdentity: word(),
      environment: v.optional(word()),
    },
    ['apiKey', 'secret'],
  ),
  segment: kind(
    { writeKey: word(), userIdContextKind: v.optional(word()), anonymousIdContextKind: v.optional(word()) },
    ['writeKey'],
  ),
  'azure-event-hubs': kind({ namespace: word(), name: word(), policyName: word(), policyKey: word() }, ['policyKey']),
  'snowflake-v2': kind({ publicKey: keyFile(), snowflakeHostAddress: word() }),
  databricks: kind(
    { workspaceUrl: httpUrl(), httpPath: word(), catalog: word(), schema: word(), accessToken: word() },
    ['accessToken'],
  ),
  bigquery: kind({ project: word(), dataset: word(), serviceAccountKey: keyFile() }, ['serviceAccountKey']),
  redshift: kind({
    clusterIdentifier: word(),
    clusterRegion: awsRegion(),
    clusterAwsAccountId: awsAccount(),
    databaseName: word(),
    schemaName: word(),
    userName: word(),
    roleArn: roleArn(),
  }),
  s3: kind({ region: awsRegion(), roleArn: roleArn(), bucket: bucketName(), prefix: v.optional(word()) }),
  'http-ndjson': kind({ url: httpUrl(), secret: v.optional(word()), authorization: v.optional(headerValue()) }, [
    'secret',
    'authorization',
  ]),
  file: kind({ name: fileName() }),
} as const satisfies Readonly<Record<string, DestinationKindRules>>

export type DestinationKind = keyof typeof destinationKinds

function kind(config: Readonly<Record<string, ConfigProperty>>, secrets: readonly string[] = []): DestinationKindRules {
  return { config: v.strictObject(config), secrets }
}
