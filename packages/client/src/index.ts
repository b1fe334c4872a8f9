export { type Client, createClient } from './client.ts'
export { type AnswerDetail, ApiError, NetworkError } from './errors.ts'
export type { ClientApi, ClientCallOptions, ClientOptions } from './options.ts'
