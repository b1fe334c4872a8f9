import { DurableObject } from 'cloudflare:workers'
import { createConsole } from '@halyard/console'
import { createEngine } from '@halyard/core'
import { fetchSender } from '@halyard/core/webhooks'
import { createSqliteStorage, type DurableObjectStorage } from '@halyard/storage-sqlite'
import { withSdk } from '@halyard/transport-fetch'

/** The part of the state of a Durable Object that this application uses. */
interface ObjectState {
  readonly storage: DurableObjectStorage & {
    getAlarm(): Promise<number | null>
    setAlarm(time: number): Promise<void>
  }
}

interface Env {
  readonly ACCOUNTS: { getByName(name: string): { fetch(request: Request): Promise<Response> } }
  readonly HALYARD_TOKEN: string
}

/** Time between a change and the alarm that runs its tasks, ms. */
const taskDelayMs = 1_000

/** One account with its database. All requests of the account run in one object. */
export class HalyardAccount extends DurableObject<Env> {
  declare readonly ctx: ObjectState
  #applicationPromise: ReturnType<HalyardAccount['openApplication']> | undefined

  override async fetch(request: Request): Promise<Response> {
    const { handler } = await this.application()
    const response = await handler(request)
    if (request.method !== 'GET') await this.scheduleTasks(taskDelayMs)
    return response
  }

  /** Called at the time of the alarm: sends webhooks and applies scheduled changes. */
  override async alarm(): Promise<void> {
    const { engine } = await this.application()
    const { more } = await engine.runDueTasks({ deadline: Date.now() + 20_000 })
    await this.scheduleTasks(more ? taskDelayMs : 60_000)
  }

  private application(): ReturnType<HalyardAccount['openApplication']> {
    this.#applicationPromise ??= this.openApplication()
    return this.#applicationPromise
  }

  private async openApplication() {
    const storage = createSqliteStorage({ database: this.ctx.storage })
    const engine = createEngine({ storage, webhooks: { send: fetchSender() } })
    await engine.migrate()
    await engine.bootstrap({ token: this.env.HALYARD_TOKEN })
    return { engine, handler: withSdk(createConsole(engine).fetch, engine) }
  }

  /** Sets the alarm, unless it is set to an earlier time. */
  private async scheduleTasks(delayMs: number): Promise<void> {
    const { storage } = this.ctx
    const time = Date.now() + delayMs
    const current = await storage.getAlarm()
    if (current === null || current > time) await storage.setAlarm(time)
  }
}

export default {
  fetch: (request: Request, { ACCOUNTS }: Env): Promise<Response> => ACCOUNTS.getByName('main').fetch(request),
}
