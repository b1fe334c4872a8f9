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

/** A key copied from a file, with line breaks and any characters. */
const keyFile = () =>
  v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(10_000, 'must have at most 10000 characters'))

function matching(pattern: RegExp, reason: string) {
  return v.pipe(v.string(), v.regex(pattern, reason))
}

/**
 * The kinds of destinations. The reference API shows the properties of the first six. It does not show those of the
 * last three, so they have the names that the products use.
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
} as const satisfies Readonly<Record<string, DestinationKindRules>>

export type DestinationKind = keyof typeof destinationKinds

function kind(config: Readonly<Record<string, ConfigProperty>>, secrets: readonly string[] = []): DestinationKindRules {
  return { config: v.strictObject(config), secrets }
}
