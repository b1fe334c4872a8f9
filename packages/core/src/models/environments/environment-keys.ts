/** The keys that identify an environment. */
export type EnvironmentKeys = Readonly<Record<'projectKey' | 'environmentKey', string>>
