export { createExpressHandler, type ExpressHandler, type ExpressHandlerOptions } from './express-handler.ts'
export { createExpressHealth, type ExpressHealth } from './express-health.ts'
export { createExpressSdk, type ExpressSdk } from './express-sdk.ts'
