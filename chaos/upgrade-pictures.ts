import { upgradePictures } from './upgrade-pictures/run.ts'

// Makes a store of pictures with the version before sources, and upgrades it beside uploads and readers, with the command
// killed and run again. No address changes, no picture is shown half, and all sums are right.
// node chaos/upgrade-pictures.ts [PICTURES] [KILLS] [CHECKOUT of the version before, such as ac15cd17]

const [pictures = 10_000, kills = 6] = process.argv.slice(2, 4).map(Number)
const tell = (text: string) => process.stdout.write(`${text}\n`)
const figures = await upgradePictures({ pictures, kills, before: process.argv[4], tell })
tell(JSON.stringify(figures, undefined, 2))
