export { createFetchHandler, type FetchHandlerOptions } from './fetch-handler.ts'
