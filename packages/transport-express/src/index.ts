export { createExpressHandler, type ExpressHandler, type ExpressHandlerOptions } from './express-handler.ts'
