import "@service/widgets/style/index.css";
