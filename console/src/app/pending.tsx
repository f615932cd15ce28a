/** Renders the same markup as index.html until the session is loaded. */
export function Pending() {
  return (
    <div className="boot">
      <header>
        <img src="/assets/atrium.svg" alt="" width={24} height={24} />
        Atrium
      </header>
      <main aria-busy="true">
        <h1 className="visually-hidden">Atrium</h1>
        <i />
        <i />
        <i />
        <i />
      </main>
    </div>
  )
}
