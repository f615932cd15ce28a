import type { Device } from '../../api/types.ts'

/** Data of a facility that is stored for offline use. */
export interface OfflineFacility {
  id: string
  name: string
  /** Missing in data stored by an earlier version. */
  type?: string
  entries: { id: string; name: string }[]
  devices: Device[]
}

/** A device assignment that is not yet sent to the server. */
export interface Task {
  key?: number
  facility: string
  device: Device
  room: string
  problem?: string
}

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('atrium-install', 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore('facilities', { keyPath: 'id' })
      request.result.createObjectStore('tasks', { keyPath: 'key', autoIncrement: true })
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

async function run<T>(store: 'facilities' | 'tasks', use: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await opened()
  try {
    const request = use(database.transaction(store, 'readwrite').objectStore(store))
    return await new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  } finally {
    database.close()
  }
}

export const storeFacility = (facility: OfflineFacility) => run('facilities', (store) => store.put(facility))
export const loadFacility = (id: string) => run<OfflineFacility | undefined>('facilities', (store) => store.get(id))
export const listFacilities = () => run<OfflineFacility[]>('facilities', (store) => store.getAll())
export const addTask = (task: Task) => run<IDBValidKey>('tasks', (store) => store.add(task))
export const updateTask = (task: Task) => run('tasks', (store) => store.put(task))
export const listTasks = () => run<Task[]>('tasks', (store) => store.getAll())
export const deleteTask = (key: number) => run('tasks', (store) => store.delete(key))
