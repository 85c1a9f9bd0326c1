"""Configuration of the JupyterHub of `test_hub.py`: any user name, one password, a single-user server as a process of
the same user."""

import os
import sys

c = get_config()  # noqa: F821
folder = os.environ["HUB_FOLDER"]
proxy, hub, api = os.environ["HUB_PORTS"].split()
c.JupyterHub.bind_url = f"http://127.0.0.1:{proxy}"
c.JupyterHub.hub_port = int(hub)
c.JupyterHub.db_url = "sqlite:///:memory:"
c.JupyterHub.cookie_secret_file = f"{folder}/cookie-secret"
c.JupyterHub.cleanup_servers = True
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{api}"
c.ConfigurableHTTPProxy.command = ["node", os.environ["HUB_PROXY"]]
c.ConfigurableHTTPProxy.pid_file = f"{folder}/proxy.pid"
c.JupyterHub.authenticator_class = "dummy"
c.DummyAuthenticator.password = "password"
c.Authenticator.allow_all = True
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = f"{folder}/{{username}}"
c.Spawner.cmd = [sys.executable, "-m", "jupyterhub.singleuser"]
c.Spawner.args = [
    "--allow-root",
    "--ServerApp.jpserver_extensions={'wattbook.server_extension': True, 'jupyterlab': True}",
]
c.Spawner.environment = {
    "SERVICE_DATA": os.environ["HUB_DATA"],
    "SERVICE_SOLVE_RATE_LIMIT_EVENTS": "0",
    "XDG_RUNTIME_DIR": folder,
}
