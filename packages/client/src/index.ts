export { type Client, createClient } from './client.ts'
export { ApiError, type ErrorResponseDetails, NetworkError } from './errors.ts'
export type { ClientApi, ClientCallOptions, ClientOptions } from './options.ts'
