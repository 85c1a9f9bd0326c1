import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import { Notification } from "@jupyterlab/apputils";
import { ISettingRegistry } from "@jupyterlab/settingregistry";

/** Follows the settings of maps. */
export const mapsPlugin: JupyterFrontEndPlugin<void> = {
  id: "@service/jupyterlab:maps",
  description: "The settings of maps: what lies below the network.",
  autoStart: true,
  requires: [ISettingRegistry],
  activate: (_app: JupyterFrontEnd, registry: ISettingRegistry) => {
    void registry.load(mapsPlugin.id).then((settings) => {
      let before = "";
      const read = (): void => {
        const [basemap, attribution] = [text(settings, "basemap"), text(settings, "attribution")];
        if (basemap !== "" || before !== "") {
          void setBasemap(basemap, attribution);
        }
        before = basemap;
      };
      read();
      settings.changed.connect(read);
    });
  },
};

async function setBasemap(basemap: string, attribution: string): Promise<void> {
  const { nameBasemap, parseBasemap } = await import("@service/widgets/map");
  try {
    nameBasemap(parseBasemap(basemap, attribution));
  } catch (error) {
    Notification.error(String(error));
  }
}

function text(settings: ISettingRegistry.ISettings, name: string): string {
  const value = settings.composite[name];
  return typeof value === "string" ? value : "";
}
