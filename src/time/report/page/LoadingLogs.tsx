export const LoadingLogs = () => (
  <p role="status" className="py-24 text-center text-quiet">
    Loading time entries...
  </p>
)
