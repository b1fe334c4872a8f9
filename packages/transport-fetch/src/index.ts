export { createFetchHandler, type FetchHandler, type FetchHandlerOptions } from './fetch-handler.ts'
export { withHealth } from './fetch-health.ts'
export { type FetchSdkOptions, withSdk } from './fetch-sdk.ts'
