import * as v from 'valibot'
import { httpUrl } from '../../operation/schema.ts'

/** What a destination of one kind has to be told: where the data goes, and what lets it in. */
interface DestinationKindRules {
  readonly config: v.StrictObjectSchema<Readonly<Record<string, ConfigMember>>, undefined>
  /** Members of `config` that are stored and never shown. */
  readonly secrets: readonly string[]
}

type ConfigMember = v.GenericSchema<string | undefined, string | undefined>

const word = () => matching(/^[!-~]{1,2048}$/, 'must be 1 to 2048 printable ASCII characters without spaces')

const roleArn = () =>
  matching(/^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,576}$/, 'must be the ARN of an IAM role')

const awsRegion = () => matching(/^[a-z]{2}(-[a-z]+)+-\d{1,2}$/, 'must be an AWS region, e.g. us-east-1')

const awsAccount = () => matching(/^\d{12}$/, 'must be the 12 digits of an AWS account')

/** A key as people copy it from a file: lines, and signs of any kind. */
const keyFile = () =>
  v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(10_000, 'must have at most 10000 characters'))

function matching(pattern: RegExp, reason: string) {
  return v.pipe(v.string(), v.regex(pattern, reason))
}

/**
 * The kinds of destinations. The members of the first six are those of the reference API; it shows none of the last
 * three, so these have what their makers call the parts of a connection.
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

function kind(config: Readonly<Record<string, ConfigMember>>, secrets: readonly string[] = []): DestinationKindRules {
  return { config: v.strictObject(config), secrets }
}
