import { readFileSync, statSync } from 'node:fs'
import { cliError } from './cli-error.ts'
import type { Environment, OptionDeclaration } from './options.ts'

export const dataExportDeclarations = {
  'data-export-role-arn': {
    type: 'string',
    env: 'HALYARD_DATA_EXPORT_ROLE_ARN',
    help: 'ARN of the role that writes data exports, for trust policies; AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN are its credentials',
  },
  'data-export-google-key': {
    type: 'string',
    env: 'GOOGLE_APPLICATION_CREDENTIALS',
    help: 'key file of the service account that publishes data exports to Google Pub/Sub',
  },
  'data-export-directory': {
    type: 'string',
    env: 'HALYARD_DATA_EXPORT_DIRECTORY',
    help: 'directory of data exports to files',
  },
} as const satisfies Record<string, OptionDeclaration>

/** Credentials and the directory with which `serve` sends data exports. */
export interface DataExportOptions {
  readonly aws: AwsCredentials | undefined
  readonly google: ServiceAccount | undefined
  readonly directory: string | undefined
}

interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

interface ServiceAccount {
  readonly client_email: string
  readonly private_key: string
  readonly private_key_id?: string
}

type Values = Readonly<Record<keyof typeof dataExportDeclarations, string | undefined>>

/** Reads the options for data exports, and refuses a key file or a directory that cannot be used. */
export function readDataExportOptions(values: Values, env: Environment): DataExportOptions {
  const { 'data-export-google-key': keyFile, 'data-export-directory': directory } = values
  if (directory !== undefined && !statSync(directory, { throwIfNoEntry: false })?.isDirectory())
    throw cliError(`--data-export-directory must be a directory that exists, not "${directory}"`)
  return {
    aws: awsCredentials(env),
    google: keyFile === undefined ? undefined : readServiceAccount(keyFile),
    directory,
  }
}

function awsCredentials(env: Environment): AwsCredentials | undefined {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = env
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) return undefined
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN ? { sessionToken: AWS_SESSION_TOKEN } : {}),
  }
}

/** Reads the key file of a service account. Error messages contain no part of the file, because it is a secret. */
function readServiceAccount(file: string): ServiceAccount {
  const account = readJson(file) as Partial<ServiceAccount> | null
  if (typeof account?.client_email !== 'string' || typeof account.private_key !== 'string')
    throw cliError(`--data-export-google-key: "${file}" must be the key file of a service account`)
  return account as ServiceAccount
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw cliError(`--data-export-google-key: "${file}" must be a readable file of JSON`)
  }
}
