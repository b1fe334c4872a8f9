import 'reflect-metadata'
import { createEngine, type Engine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

async function openEngine(): Promise<Engine> {
  const engine = createEngine({ storage: createMemoryStorage() })
  await engine.migrate()
  await engine.bootstrap({ token: process.env.HALYARD_TOKEN })
  return engine
}

// #region mount
import { createExpressHandler } from '@halyard/transport-express'
import { Controller, Get, Inject, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'

@Controller()
class ShopController {
  @Inject('ENGINE')
  readonly engine!: Engine

  @Get()
  home(): string {
    const environment = { projectKey: 'shop', environmentKey: 'production' }
    const { value } = this.engine.evaluate('checkout', { kind: 'user', key: 'ann' }, false, environment)
    return value ? 'the new shop' : 'the shop'
  }
}

@Module({ controllers: [ShopController], providers: [{ provide: 'ENGINE', useFactory: openEngine }] })
class ShopModule {}

const app = await NestFactory.create(ShopModule, { logger: ['error'] })
// This comes before the body parsers of Nest, which Nest adds when it starts to listen.
app.use('/features', createExpressHandler(app.get<Engine>('ENGINE')))
await app.listen(process.env.PORT ?? 3000, '127.0.0.1')
console.log(await app.getUrl())
// #endregion
